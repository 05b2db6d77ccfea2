import { get, patch } from '../../api/client.ts'
import { termsOf } from '../../lib/route.ts'
import { linkTo } from '../../lib/router.ts'
import { withResolvedToggled } from '../../store/channels.ts'
import type { Message } from '../../store/messages.ts'
import { currentState } from '../../store/server-state.ts'
import type { TopicRef } from '../message/commands.ts'
import { noticeFailure } from '../parts/notices.tsx'

// Actions on whole topics and channels. No key starts them, so the first load leaves them out.

/** Renames a whole topic, or moves it to another channel. `messageId`: any message of it. */
export function changeTopic(messageId: number, params: Record<string, unknown>) {
  return patch(`/messages/${messageId}`, { propagate_mode: 'change_all', ...params })
}

/** Returns the newest message of a topic, through which the whole topic is changed. */
export async function newestIn({ channelId, topic }: TopicRef): Promise<Message | undefined> {
  const { messages } = await get<{ messages: Message[] }>('/messages', {
    narrow: termsOf({ channelId, topic }, currentState().user_id),
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    allow_empty_topic_name: true,
  })
  return messages.at(-1)
}

export async function toggleResolved({ channelId, topic }: TopicRef) {
  try {
    const message = await newestIn({ channelId, topic })
    if (!message) return
    const params = { topic: withResolvedToggled(topic), send_notification_to_new_thread: true }
    await changeTopic(message.id, { ...params, send_notification_to_old_thread: false })
  } catch (error) {
    noticeFailure(error)
  }
}

export function channelLink(channelId: number) {
  const route = { view: 'narrow', terms: [{ operator: 'channel', operand: channelId }] } as const
  return `${currentState().realm_url}/${linkTo({ ...route, terms: [...route.terms] })}`
}

export function topicLink({ channelId, topic }: TopicRef) {
  const terms = termsOf({ channelId, topic }, currentState().user_id)
  return `${currentState().realm_url}/${linkTo({ view: 'narrow', terms })}`
}
