import type { AccountRow } from '../../../../db/schema.ts'
import type { CommandContext } from '../../../../http/endpoint.ts'
import type { Change } from '../../../../log/change.ts'
import { type NewMessage, type SentMessage, sendMessageWrite } from '../../../kernel/messages/new-message.ts'
import { applyAutomaticVisibility } from '../../../kernel/topics/automatic-visibility.ts'
import { linkUploads } from '../uploads/links.ts'
import { openConversation } from './recipients.ts'

/** Writes a message with all its consequences as part of a change. */
export async function addMessage(
  change: Change,
  sender: AccountRow,
  message: NewMessage,
): Promise<SentMessage> {
  const { begins, automaticVisibility, uploads } = message
  const policy = automaticVisibility && (await applyAutomaticVisibility(change, automaticVisibility))
  const placed = begins
    ? { ...message.message, recipient_id: (await openConversation(change, begins)).id }
    : message.message
  if (uploads?.length) {
    const { rendered_content } = placed
    const linking = { id: change.lastMessageId + 1, sent_at: change.now, rendered_content }
    await linkUploads(change, sender, linking, uploads)
  }
  const id = await change.add(sendMessageWrite, { ...message, message: placed, ...(policy && { policy }) })
  return policy ? { id, automatic_new_visibility_policy: policy } : { id }
}

/** Writes a message. It joins the batch of other sends if it has no consequences for other rows. */
export async function writeMessage(
  { me, commit, commitInGroup }: Pick<CommandContext, 'me' | 'commit' | 'commitInGroup'>,
  message: NewMessage,
): Promise<SentMessage> {
  const { begins, automaticVisibility, uploads } = message
  const isPlain = !begins && !automaticVisibility && !uploads?.length
  return isPlain
    ? { id: await commitInGroup(sendMessageWrite, message) }
    : commit((change) => addMessage(change, me, message))
}
