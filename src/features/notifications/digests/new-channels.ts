import type { AccountRow, ChannelRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { hasContentAccess } from '../../kernel/channels/access.ts'
import { digestLimits } from './limits.ts'

/** Returns the channels that others have made in the last week, the newest first. */
export function newChannels({ channels }: RealmState, now: number): ChannelRow[] {
  const since = now - digestLimits.digestDays * 86_400
  return [...channels.values()]
    .filter(({ created_at, is_archived }) => created_at >= since && !is_archived)
    .sort((a, b) => b.created_at - a.created_at || b.id - a.id)
}

/** Returns those of them that a reader may read, and has not made. */
export function channelsNewTo(realm: RealmState, reader: AccountRow, channels: ChannelRow[]): ChannelRow[] {
  return channels.filter(
    (channel) => channel.creator_id !== reader.id && hasContentAccess(realm, reader, channel),
  )
}
