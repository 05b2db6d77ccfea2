import { sql } from 'kysely'
import { z } from 'zod'
import { user } from '../../http/access.ts'
import { type CommandContext, command } from '../../http/endpoint.ts'
import { integers, text } from '../../http/params.ts'
import { badRequest } from '../../lib/api-error.ts'
import { limits } from '../../lib/limits.ts'
import { mayRead } from '../messages/access.ts'
import { isRead, messagesById, type ReaderMessage, receptionOf } from '../messages/queries.ts'
import { markRead, markUnread } from './read-state.ts'
import { flagsEvent } from './update_message_flags.event.ts'

const editable = ['read', 'starred', 'collapsed']
const known = [
  ...editable,
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'has_alert_word',
  'historical',
  'force_expand',
  'force_collapse',
]

const params = { messages: integers(), op: text(), flag: text() }

type Context = CommandContext<typeof params>

/** The reader's own flags on messages. What is not theirs to read is passed over, but cannot be starred. */
export const updateMessageFlags = command('POST /messages/flags', {
  summary: 'Add or remove a personal flag on messages',
  access: user,
  params,
  returns: {
    messages: z.array(z.int()),
    ignored_because_not_subscribed_channels: z.array(z.int()), // level 355
  },
  async handle(context) {
    const { realm, me, params, read, commit } = context
    const op = checkedOperation(params.op, params.flag)
    if (params.messages.length > limits.messagesPerFetch) {
      throw badRequest(`Too many messages requested (maximum ${limits.messagesPerFetch}).`)
    }
    const messages = await messagesById(read, realm, me, sql`true`, params.messages)
    const { changed, ignoredChannels } =
      params.flag === 'read' ? toMark(context, op, messages) : toFlag(context, op, messages)
    await commit(async (change) => {
      if (params.flag === 'read') await (op === 'add' ? markRead : markUnread)(change, me.id, changed)
      else if (op === 'add') await change.insertAll('message_flag', flagRows(context, changed))
      else await change.deleteAll('message_flag', flagRows(context, changed))
      change.emit(flagsEvent(realm, me, op, params.flag, changed), { users: [me.id] })
    })
    return { messages: params.messages, ignored_because_not_subscribed_channels: ignoredChannels }
  },
})

function checkedOperation(op: string, flag: string): 'add' | 'remove' {
  if (!known.includes(flag)) throw badRequest(`Invalid flag: '${flag}'`)
  if (!editable.includes(flag)) throw badRequest(`Flag not editable: '${flag}'`)
  if (op !== 'add' && op !== 'remove') throw badRequest(`Invalid message flag operation: '${op}'`)
  return op
}

/** Only what came to the reader, and still comes, can be unread at all. */
function toMark({ realm, me }: Context, op: 'add' | 'remove', messages: ReaderMessage[]) {
  const current = messages.filter(
    (message) => receptionOf(realm, me, message) === 'current' && mayRead(realm, me, message),
  )
  const left = messages.filter((message) => mayRead(realm, me, message) && !current.includes(message))
  return {
    changed: current.filter((message) => isRead(realm, me, message) === (op === 'remove')),
    ignoredChannels: op === 'add' ? [] : channelsOf(realm, left),
  }
}

function channelsOf(realm: Context['realm'], messages: ReaderMessage[]) {
  return [...new Set(messages.map((message) => realm.recipients.get(message.recipient_id)!.channel_id!))]
}

function toFlag({ realm, me, params }: Context, op: 'add' | 'remove', messages: ReaderMessage[]) {
  const readable = messages.filter((message) => mayRead(realm, me, message))
  if (readable.length < new Set(params.messages).size) throw badRequest('Invalid message(s)')
  const changed = readable.filter((message) => message.own_flags.includes(params.flag) === (op === 'remove'))
  return { changed, ignoredChannels: [] }
}

function flagRows({ me, params }: Context, messages: ReaderMessage[]) {
  return messages.map((message) => ({ user_id: me.id, message_id: message.id, flag: params.flag }))
}
