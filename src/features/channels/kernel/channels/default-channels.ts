import type { ChannelRow } from '../../../../db/schema.ts'
import type { RealmState } from '../../../../log/realm-state.ts'

/** Returns the channels to which new users are subscribed. */
export function defaultChannels(realm: RealmState): ChannelRow[] {
  return [...realm.channels.values()].filter((channel) => channel.is_default && !channel.is_archived)
}

/** Returns their ids, in ascending order. */
export function defaultChannelIds(realm: RealmState): number[] {
  return defaultChannels(realm)
    .map((channel) => channel.id)
    .sort((a, b) => a - b)
}
