import type { AccountRow } from '../../db/schema.ts'
import { badRequest } from '../../lib/api-error.ts'
import type { Commit } from '../../log/realm-log.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { mayRead } from '../messages/access.ts'
import { isRead, receptionOf } from '../messages/queries.ts'
import type { FlaggedMessage } from './flagged.ts'
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

/** To set or to clear one of the reader's own flags. */
export type FlagChange = { op: 'add' | 'remove'; flag: string }

export function checkedChange({ op, flag }: { op: string; flag: string }): FlagChange {
  if (!known.includes(flag)) throw badRequest(`Invalid flag: '${flag}'`)
  if (!editable.includes(flag)) throw badRequest(`Flag not editable: '${flag}'`)
  if (op !== 'add' && op !== 'remove') throw badRequest(`Invalid message flag operation: '${op}'`)
  return { op, flag }
}

type Flagging = { realm: RealmState; me: AccountRow; commit: Commit }

/**
 * Changes a flag on messages that the reader may read, and tells their clients. Answers how many have changed, and in
 * which channels messages cannot become unread because the reader is not subscribed.
 */
export async function changeFlags(
  { realm, me, commit }: Flagging,
  { op, flag }: FlagChange,
  messages: FlaggedMessage[],
) {
  const { changed, ignoredChannels } =
    flag === 'read' ? toMark(realm, me, op, messages) : toFlag(op, flag, messages)
  await commit(async (change) => {
    const rows = () => changed.map((message) => ({ user_id: me.id, message_id: message.id, flag }))
    if (flag === 'read') await (op === 'add' ? markRead : markUnread)(change, me.id, changed)
    else if (op === 'add') await change.insertAll('message_flag', rows())
    else await change.deleteAll('message_flag', rows())
    change.emit(flagsEvent(realm, me, op, flag, changed), { users: [me.id] })
  })
  return { updated: changed.length, ignoredChannels }
}

/** Only what came to the reader, and still comes, can be unread at all. */
function toMark(realm: RealmState, me: AccountRow, op: 'add' | 'remove', messages: FlaggedMessage[]) {
  const current = messages.filter((message) => receptionOf(realm, me, message) === 'current')
  const others = messages.filter((message) => receptionOf(realm, me, message) !== 'current')
  const left = others.filter((message) => mayRead(realm, me, message))
  return {
    changed: current.filter(
      (message) => isRead(realm, me, message) === (op === 'remove') && mayRead(realm, me, message),
    ),
    ignoredChannels: op === 'add' ? [] : channelsOf(realm, left),
  }
}

function channelsOf(realm: RealmState, messages: FlaggedMessage[]) {
  return [...new Set(messages.map((message) => realm.recipients.get(message.recipient_id)!.channel_id!))]
}

function toFlag(op: 'add' | 'remove', flag: string, messages: FlaggedMessage[]) {
  return {
    changed: messages.filter((message) => message.own_flags.includes(flag) === (op === 'remove')),
    ignoredChannels: [],
  }
}
