import type { AccountRow, MessageRow } from '../../../db/schema.ts'
import type { Interval } from '../../../db/values.ts'
import { lastIn } from '../../../lib/must.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isInIntervals } from '../../../queues/audience.ts'
import { isSpectator } from '../channels/web-public.ts'
import type { PageMessage } from './page-rows.ts'
import { wildcardFlags } from './wildcards.ts'

/** The fields that determine a reader's flags on a message. */
export type Flagged = Pick<
  PageMessage,
  | 'id'
  | 'recipient_id'
  | 'sender_id'
  | 'read_by_sender'
  | 'mentions_channel'
  | 'topic_mentioned'
  | 'in_read'
  | 'own_flags'
>

/**
 * Returns the reader's flags on messages. A message that was not sent to the reader counts as read and is `historical`.
 */
export function flagsFor(realm: RealmState, me: AccountRow): (message: Flagged) => string[] {
  if (isSpectator(me)) return () => ['read']
  const receptionOf = receptions(realm, me)
  return (message) => flagsAs(receptionOf(message), me, message)
}

function flagsAs(reception: Reception, me: AccountRow, message: Flagged): string[] {
  const flags = [...message.own_flags]
  if (isReadAs(reception, me, message)) flags.push('read')
  if (reception === 'none') flags.push('historical')
  else flags.push(...wildcardFlags(message, me.id))
  return flags
}

type Readable = Pick<PageMessage, 'sender_id' | 'read_by_sender' | 'in_read'>

/** Returns whether a message that the reader received in this way is read. */
export function isReadAs(reception: Reception, me: AccountRow, message: Readable) {
  const own = message.sender_id === me.id && message.read_by_sender
  return own || message.in_read || reception !== 'current'
}

/** In an active subscription, in one that has ended, or not at all. */
type Reception = 'current' | 'ended' | 'none'

type Placed = Pick<MessageRow, 'id' | 'recipient_id'>

/** Returns how a reader received a message. */
export function receptionOf(realm: RealmState, me: AccountRow, message: Placed): Reception {
  return receptionIn(receivedIn(realm, me, message.recipient_id), message.id)
}

/** Returns the function that says how the reader received a message, for use with many messages. */
export function receptions(realm: RealmState, me: AccountRow): (message: Placed) => Reception {
  const received = new Map<number, Interval[] | undefined>()
  return ({ id, recipient_id }) => {
    if (!received.has(recipient_id)) received.set(recipient_id, receivedIn(realm, me, recipient_id))
    return receptionIn(received.get(recipient_id), id)
  }
}

/**
 * Returns the messages of a channel that the reader received; undefined for direct messages, all of which they
 * received.
 */
function receivedIn(realm: RealmState, me: AccountRow, recipientId: number): Interval[] | undefined {
  const channelId = realm.recipients.get(recipientId)?.channel_id
  return channelId ? (realm.subscription(me.id, channelId)?.received ?? []) : undefined
}

function receptionIn(received: Interval[] | undefined, id: number): Reception {
  if (!received) return 'current'
  if (!isInIntervals(received, id)) return 'none'
  const [since, until] = lastIn(received)
  return until === null && id >= since ? 'current' : 'ended'
}
