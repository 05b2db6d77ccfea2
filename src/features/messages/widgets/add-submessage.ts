import { sql } from 'kysely'
import type { AccountRow, MessageRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { integer, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { firstIn } from '../../../lib/must.ts'
import { checkNotArchived, messageToRead, messageToReadNow } from '../../kernel/messages/access.ts'
import { audienceOf, usersWithFlagOrReactionQuery } from '../../kernel/messages/audience.ts'
import {
  applyAutomaticVisibility,
  visibilityOnParticipation,
} from '../../kernel/topics/automatic-visibility.ts'
import { submessageLimits } from './limits.ts'
import { submessageAdded } from './submessage.event.ts'
import { submessageFlaw } from './submessage-flaw.ts'

export const addSubmessage = command('POST /submessage', {
  summary: 'Add a submessage, such as a vote in a poll',
  creates: true,
  access: requireUser,
  params: {
    message_id: integer(),
    msg_type: text({ max: submessageLimits.submessageTypeLength }),
    content: text({ max: submessageLimits.submessageLength }).documentedAs({
      contentMediaType: 'application/json',
    }),
  },
  returns: {},
  async handle(context) {
    const { realm, me, params, read, conclude } = context
    const message = await messageToRead(realm, me, read, params.message_id)
    checkNotArchived(realm, message)
    checkSubmessage(me, message, firstIn(await read.rows(submessagesQuery(message))), params.content)
    const visibility = await visibilityOnParticipation(context, message)
    return conclude(async (change) => {
      const { message_id, msg_type, content } = params
      const now = await messageToReadNow(change, me, message_id)
      checkNotArchived(change.state, now)
      checkSubmessage(me, now, firstIn(await change.run(submessagesQuery(now))), content)
      const row = await change.insert('submessage', { message_id, sender_id: me.id, msg_type, content })
      const holders = firstIn(await change.run(usersWithFlagOrReactionQuery(realm.id, [message.id])))
      const audience = audienceOf(change.state, now, change.lastMessageId + 1, holders.users)
      change.emit(submessageAdded(row), audience)
      if (visibility) await applyAutomaticVisibility(change, visibility)
      return {}
    })
  },
})

/** Counts of a message's submessages: their number and total bytes, whether its author sent any, and the widget. */
type Existing = { count: number; size: number; has_authors: boolean; widget: string | null }

// Does not load all submessages: a message may have thousands, and every vote runs this query.
function submessagesQuery({ realm_id, id, sender_id }: MessageRow) {
  return sql<Existing>`
    SELECT count(*)::integer AS count, coalesce(sum(octet_length(content)), 0)::integer AS size,
      coalesce(bool_or(sender_id = ${sender_id}), false) AS has_authors,
      min(content) FILTER (WHERE is_widget) AS widget
    FROM submessage WHERE realm_id = ${realm_id} AND message_id = ${id}`
}

function checkSubmessage(me: AccountRow, message: MessageRow, existing: Existing, content: string) {
  const isAuthor = message.sender_id === me.id
  if (!isAuthor && !existing.has_authors) {
    throw badRequest('You cannot attach a submessage to this message.')
  }
  // All submessages are returned with the message whenever it is read.
  const isFull =
    existing.count >= submessageLimits.submessagesPerMessage ||
    existing.size + Buffer.byteLength(content) > submessageLimits.submessagesLength
  if (isFull) throw badRequest('This message has too many submessages.')
  const flaw = submessageFlaw(existing.widget, parsed(content), isAuthor)
  if (flaw) throw badRequest(flaw)
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw badRequest('Invalid json for submessage')
  }
}
