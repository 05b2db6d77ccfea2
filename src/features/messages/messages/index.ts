import { messageEvent } from '../../kernel/messages/message.event.ts'
import { getMessage } from './get-message.ts'
import { getMessages } from './get-messages.ts'
import { getMessagesSummary } from './get-messages-summary.ts'
import { matchesNarrow } from './matches-narrow.ts'
import { renderMessage } from './render-message.ts'
import { sendMessage } from './send-message.ts'

export const endpoints = [
  getMessage,
  getMessages,
  getMessagesSummary,
  matchesNarrow,
  renderMessage,
  sendMessage,
]

export const eventTypes = [messageEvent]
