import { defaultStreamsEvent } from '../kernel/channels/default_streams.event.ts'
import { streamEvent } from '../kernel/channels/stream.event.ts'
import { addDefaultChannel } from './add-default-channel.ts'
import { archiveChannel } from './archive-channel.ts'
import { getChannel } from './get-channel.ts'
import { getChannelEmailAddress } from './get-channel-email-address.ts'
import { getChannelId } from './get-channel-id.ts'
import { getChannels } from './get-channels.ts'
import { removeDefaultChannel } from './remove-default-channel.ts'
import { updateChannel } from './update-channel.ts'

export const endpoints = [
  addDefaultChannel,
  archiveChannel,
  getChannel,
  getChannelEmailAddress,
  getChannelId,
  getChannels,
  removeDefaultChannel,
  updateChannel,
]

export const eventTypes = [defaultStreamsEvent, streamEvent]

export { consequences } from './consequences.ts'
