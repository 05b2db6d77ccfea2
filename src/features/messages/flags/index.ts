import { updateMessageFlagsEvent } from '../../kernel/flags/update_message_flags.event.ts'
import { markAllAsRead } from './mark-all-as-read.ts'
import { markChannelAsRead } from './mark-channel-as-read.ts'
import { markTopicAsRead } from './mark-topic-as-read.ts'
import { updateFlagsForNarrow } from './update-flags-for-narrow.ts'
import { updateMessageFlags } from './update-message-flags.ts'

/** The operations of this capability. */
export const endpoints = [
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,
  updateFlagsForNarrow,
  updateMessageFlags,
]

/** Its types of events. */
export const eventTypes = [updateMessageFlagsEvent]
