import { type RawBuilder, sql } from 'kysely'
import { roles } from '../../../db/roles.ts'
import type { ChannelRow, MessageRow } from '../../../db/schema.ts'
import type { Audience } from '../../../log/entry.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isInAudience } from '../../../queues/audience.ts'
import { isActive } from '../channels/access.ts'
import { mayRead } from './access.ts'

type Message = Pick<MessageRow, 'id' | 'recipient_id'>

/**
 * Returns the users who receive events about a message. These are the participants, or the channel's subscribers as far
 * as they may read the message; in a public channel also the users who received it and have unsubscribed since; and all
 * of `holders` (see usersWithFlagOrReactionQuery) who may read it. `next` is the id of the next message and stands for the present
 * time.
 */
export function audienceOf(realm: RealmState, message: Message, next: number, holders: number[]): Audience {
  const audience = subscribersOf(realm, message, next)
  const others = notAlreadyInAudience(realm, audience.subscribed, next, holders)
  return { ...audience, users: others.filter((id) => mayRead(realm, realm.users.require(id), message)) }
}

type Subscribed = NonNullable<Audience['subscribed']>

/**
 * Returns those of `holders` who might not receive the event as subscribers. Includes users who match only through
 * their current subscription (`next`): they may unsubscribe before they fetch the event.
 */
export function notAlreadyInAudience(
  realm: RealmState,
  subscribed: Subscribed,
  next: number,
  holders: number[],
): number[] {
  const lasting = { subscribed: subscribed.filter(({ at }) => !at.includes(next)) }
  return holders.filter((id) => !isInAudience(realm, lasting, id))
}

/** Finds the users with a flag on, or a reaction to, any of these messages, whether or not they are subscribed. */
export function usersWithFlagOrReactionQuery(
  realmId: number,
  ids: number[],
): RawBuilder<{ users: number[] }> {
  const those = sql`realm_id = ${realmId} AND message_id = ANY(${ids}::bigint[])`
  return sql`
    SELECT coalesce(json_agg(user_id), '[]') AS users FROM (
      SELECT user_id FROM message_flag WHERE ${those} UNION SELECT user_id FROM reaction WHERE ${those}) AS holder`
}

function subscribersOf(
  realm: RealmState,
  { id, recipient_id: recipient }: Message,
  next: number,
): { subscribed: Subscribed; except?: number[] } {
  const channel = realm.channels.get(realm.recipients.get(recipient)?.channel_id ?? 0)
  if (!channel) return { subscribed: [{ recipient, at: [] }] }
  if (!channel.history_public_to_subscribers) return { subscribed: [{ recipient, at: [id, next] }] }
  const now = { recipient, at: [next] }
  if (channel.is_private) return { subscribed: [now] }
  return { subscribed: [now, { recipient, at: [id] }], except: guestsWhoLeft(realm, channel) }
}

/** Guests may only read the channels to which they are subscribed. */
function guestsWhoLeft(realm: RealmState, channel: ChannelRow): number[] {
  if (channel.is_web_public) return []
  const ids: number[] = []
  for (const subscription of realm.subscriptionsOfChannel(channel.id)) {
    if (isActive(subscription)) continue
    if (realm.users.get(subscription.user_id)?.role === roles.guest) ids.push(subscription.user_id)
  }
  return ids
}
