import type { RealmState } from '../../log/realm-state.ts'

/** The channels that new users are subscribed to, by id. */
export function defaultChannelIds(realm: RealmState): number[] {
  const channels = [...realm.channels.values()].filter(
    (channel) => channel.is_default && !channel.is_archived,
  )
  return channels.map((channel) => channel.id).sort((a, b) => a - b)
}
