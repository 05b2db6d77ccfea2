import type { ChannelRow, MessageRow } from '../../db/schema.ts'
import { roles } from '../../http/access.ts'
import type { Audience } from '../../log/entry.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { isActive } from '../channels/access.ts'

/**
 * Whoever hears of what happens to a message: the participants, or the channel's subscribers as far as they may read
 * it, and in a public channel also those who received it and have left since. `next`: the id of the next message, which
 * stands for now.
 */
export function audienceOf(
  realm: RealmState,
  { id, recipient_id: recipient }: Pick<MessageRow, 'id' | 'recipient_id'>,
  next: number,
): Audience {
  const channel = realm.channels.get(realm.recipients.get(recipient)?.channel_id ?? 0)
  if (!channel) return { subscribed: [{ recipient, at: [] }] }
  if (!channel.history_public_to_subscribers) return { subscribed: [{ recipient, at: [id, next] }] }
  const now = { recipient, at: [next] }
  if (channel.is_private) return { subscribed: [now] }
  return { subscribed: [now, { recipient, at: [id] }], except: guestsWhoLeft(realm, channel) }
}

/** Guests only read the channels that they are in. */
function guestsWhoLeft(realm: RealmState, channel: ChannelRow): number[] {
  if (channel.is_web_public) return []
  const ids: number[] = []
  for (const subscription of realm.subscriptionsOfChannel(channel.id)) {
    if (isActive(subscription)) continue
    if (realm.users.get(subscription.user_id)?.role === roles.guest) ids.push(subscription.user_id)
  }
  return ids
}
