import type { ChannelRow } from '../../../db/schema.ts'
import type { Change } from '../../../log/change.ts'
import { channelAudience } from '../kernel/channels/audience.ts'
import { channelUpdated } from '../kernel/channels/stream.event.ts'

/** Emits whether a channel counts as active (level 323) to all users who may see it. */
export function emitActivity(change: Change, channel: ChannelRow, active: boolean) {
  change.emit(channelUpdated(channel, 'is_recently_active', active), channelAudience(change.state, channel))
}
