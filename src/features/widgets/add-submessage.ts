import { sql } from 'kysely'
import type { AccountRow, MessageRow, SubmessageRow } from '../../db/schema.ts'
import { user } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { integer, text } from '../../http/params.ts'
import { badRequest } from '../../lib/api-error.ts'
import { isObject } from '../../lib/is-object.ts'
import { limits } from '../../lib/limits.ts'
import { messageToRead } from '../messages/access.ts'
import { audienceOf } from '../messages/audience.ts'
import { changeVisibilityOnTakingPart } from '../topics/automatic-visibility.ts'
import { flawOf } from './shape.ts'
import { submessageAdded } from './submessage.event.ts'

export const addSubmessage = command('POST /submessage', {
  summary: 'Do something with a widget, such as to vote in a poll',
  access: user,
  params: {
    message_id: integer(),
    msg_type: text({ max: limits.submessageTypeLength }),
    content: text({ max: limits.submessageLength }),
  },
  returns: {},
  async handle({ realm, me, params, read, commit }) {
    const message = await messageToRead(realm, me, read, params.message_id)
    const existing = await read
      .selectFrom('submessage')
      .where('realm_id', '=', realm.id)
      .where('message_id', '=', message.id)
      .selectAll()
      .execute()
    checkSubmessage(me, message, existing, params.content)
    await commit(async (change) => {
      const [stillThere] = await change.run(
        sql`SELECT FROM message WHERE realm_id = ${realm.id} AND id = ${message.id}`,
      )
      if (!stillThere) throw badRequest('Invalid message(s)')
      const { message_id, msg_type, content } = params
      const row = await change.insert('submessage', { message_id, sender_id: me.id, msg_type, content })
      change.emit(submessageAdded(row), audienceOf(change.state, message, change.lastMessageId + 1))
    })
    await changeVisibilityOnTakingPart({ realm, me, read, commit }, message)
    return {}
  },
})

function checkSubmessage(me: AccountRow, message: MessageRow, existing: SubmessageRow[], content: string) {
  const isAuthor = message.sender_id === me.id
  if (!isAuthor && !existing.some((one) => one.sender_id === message.sender_id)) {
    throw badRequest('You cannot attach a submessage to this message.')
  }
  if (existing.length >= limits.submessagesPerMessage)
    throw badRequest('This message has too many submessages.')
  const data = parsed(content)
  const widget = existing.find((one) => one.is_widget)
  const type = widget && (JSON.parse(widget.content) as { widget_type: string }).widget_type
  const flaw =
    type === 'poll' ? pollFlaw(data, isAuthor) : type === 'todo' ? todoFlaw(data, isAuthor) : undefined
  if (flaw) throw badRequest(flaw)
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw badRequest('Invalid json for submessage')
  }
}

function pollFlaw(data: unknown, isAuthor: boolean): string | undefined {
  const name = 'poll data'
  if (!isObject(data)) return `${name} is not a dict`
  switch (data.type) {
    case 'vote':
      return flawOf(name, data, { type: 'string', key: 'string', vote: 'vote' })
    case 'new_option':
      return flawOf(name, data, { type: 'string', option: 'string', idx: 'int' })
    case 'question':
      if (!isAuthor) return "You can't edit a question unless you are the author."
      return flawOf(name, data, { type: 'string', question: 'string' })
    default:
      return unknownType('poll', data)
  }
}

function todoFlaw(data: unknown, isAuthor: boolean): string | undefined {
  const name = 'todo data'
  if (!isObject(data)) return `${name} is not a dict`
  switch (data.type) {
    case 'new_task': {
      const fields = {
        type: 'string',
        key: 'int',
        task: 'string',
        desc: 'string',
        completed: 'bool',
      } as const
      return flawOf(name, data, fields)
    }
    case 'strike':
      return flawOf(name, data, { type: 'string', key: 'string' })
    case 'new_task_list_title':
      if (!isAuthor) return "You can't edit the task list title unless you are the author."
      return flawOf(name, data, { type: 'string', title: 'string' })
    default:
      return unknownType('todo', data)
  }
}

function unknownType(widget: string, { type }: Record<string, unknown>) {
  if (type === undefined) return `type key is missing from ${widget} data`
  if (typeof type !== 'string') return `${widget} data["type"] is not a string`
  return `Unknown type for ${widget} data: ${type}`
}
