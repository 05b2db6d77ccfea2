import type { AccountRow } from '../../db/schema.ts'
import type { Change } from '../../log/change.ts'
import { linkUploads } from '../uploads/links.ts'
import { type NewMessage, sending } from './new-message.ts'

/** Writes a message as a part of a change, and first notes the uploads that it links to; answers its id. */
export async function addMessage(change: Change, sender: AccountRow, message: NewMessage): Promise<number> {
  if (message.uploads?.length) {
    const { rendered_content } = message.message
    const linking = { id: change.lastMessageId + 1, sent_at: change.now, rendered_content }
    await linkUploads(change, sender, linking, message.uploads)
  }
  return change.add(sending, message)
}
