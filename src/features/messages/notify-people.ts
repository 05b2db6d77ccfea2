import type { Change } from '../../log/change.ts'
import type { Rendered } from '../../markdown/render.ts'
import { notificationBot, postNotice } from './post-notice.ts'

/** Sends each of these users a direct message of the Notification Bot, as a part of a change. */
export async function notifyPeople(
  change: Change,
  userIds: number[],
  message: { content: string; rendered: Rendered },
) {
  const botId = notificationBot(change.state).id
  for (const userId of userIds) {
    const pair = [botId, userId].sort((a, b) => a - b)
    const conversation =
      change.state.conversationByUsers(pair.join()) ?? (await change.insert('recipient', { user_ids: pair }))
    await postNotice(change, { recipientId: conversation.id, topic: '', ...message })
  }
}
