import { updateMessageFlagsEvent } from '../../kernel/flags/update_message_flags.event.ts'
import { markAllAsRead } from './mark-all-as-read.ts'
import { markChannelAsRead } from './mark-channel-as-read.ts'
import { markTopicAsRead } from './mark-topic-as-read.ts'
import { updateFlagsForNarrow } from './update-flags-for-narrow.ts'
import { updateMessageFlags } from './update-message-flags.ts'

/** The endpoints of this feature. */
export const endpoints = [
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,
  updateFlagsForNarrow,
  updateMessageFlags,
]

/** The event types of this feature. */
export const eventTypes = [updateMessageFlagsEvent]
