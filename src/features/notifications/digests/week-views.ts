import type { AccountRow, ChannelRow } from '../../../db/schema.ts'
import { lastIn } from '../../../lib/must.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isActive, readableIntervals } from '../../kernel/channels/access.ts'
import { digestLimits } from './limits.ts'

/**
 * A reader's view of the last week of a channel: its messages from an id on, without those of users whom the reader has
 * muted. Most readers of a channel share one view. Equal views have equal keys.
 */
export type WeekView = {
  key: string
  channelId: number
  recipient: number
  since: number
  muted: number[]
}

/** Returns the views of the channels to which a reader is subscribed, where there are messages since the beginning of the week. */
export function viewsOf(realm: RealmState, reader: AccountRow, since: number): WeekView[] {
  const muted = [...realm.mutedBy(reader.id)].map((row) => row.muted_user_id).sort((a, b) => a - b)
  const newest = ({ recipient_id }: ChannelRow) => realm.newestMessages.get(recipient_id) ?? 0
  return [...realm.subscriptionsOfUser(reader.id)]
    .filter(isActive)
    .map(({ channel_id }) => realm.channels.require(channel_id))
    .filter((channel) => !channel.is_archived && newest(channel) >= since)
    .sort((a, b) => newest(b) - newest(a))
    .slice(0, digestLimits.digestChannels)
    .flatMap((channel) => {
      const from = readableSince(realm, reader, channel)
      return from === undefined ? [] : viewOf(channel, Math.max(from, since), muted)
    })
}

/** Returns from which message on a subscriber may read all that came; undefined if that is none. */
function readableSince(realm: RealmState, reader: AccountRow, channel: ChannelRow): number | undefined {
  const intervals = readableIntervals(realm, reader, channel)
  if (intervals === 'all') return 0
  return intervals.length > 0 ? lastIn(intervals)[0] : undefined
}

function viewOf({ id, recipient_id }: ChannelRow, since: number, muted: number[]): WeekView {
  const key = `${recipient_id} ${since} ${muted.join()}`
  return { key, channelId: id, recipient: recipient_id, since, muted }
}
