import type { ChannelRow } from '../../../../db/schema.ts'
import type { RealmState } from '../../../../log/realm-state.ts'

/** The channels that new users are subscribed to. */
export function defaultChannels(realm: RealmState): ChannelRow[] {
  return [...realm.channels.values()].filter((channel) => channel.is_default && !channel.is_archived)
}

/** The same by id, in rising order. */
export function defaultChannelIds(realm: RealmState): number[] {
  return defaultChannels(realm)
    .map((channel) => channel.id)
    .sort((a, b) => a - b)
}
