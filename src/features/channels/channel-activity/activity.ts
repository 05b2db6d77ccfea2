import type { ChannelRow } from '../../../db/schema.ts'
import type { Change } from '../../../log/change.ts'
import { channelAudience } from '../kernel/channels/audience.ts'
import { channelUpdated } from '../kernel/channels/stream.event.ts'

/** Tells everybody who may know of a channel whether it counts as active now (level 323). */
export function emitActivity(change: Change, channel: ChannelRow, active: boolean) {
  change.emit(channelUpdated(channel, 'is_recently_active', active), channelAudience(change.state, channel))
}
