import { deleteMessageEvent } from '../../kernel/editing/delete_message.event.ts'
import { updateMessageEvent } from '../../kernel/editing/update_message.event.ts'
import { deleteMessage } from './delete-message.ts'
import { deleteTopic } from './delete-topic.ts'
import { getMessageHistory } from './get-message-history.ts'
import { getMoveExtent } from './get-move-extent.ts'
import { getReadReceipts } from './get-read-receipts.ts'
import { updateMessage } from './update-message.ts'

export const endpoints = [
  deleteMessage,
  deleteTopic,
  getMessageHistory,
  getMoveExtent,
  getReadReceipts,
  updateMessage,
]

export const eventTypes = [deleteMessageEvent, updateMessageEvent]
