import { ApiFailure, remove } from '../../api/client.ts'
import { htmlToMarkdown } from '../../lib/html-to-markdown.ts'
import { t } from '../../lib/i18n.ts'
import { dateAndTime } from '../../lib/time.ts'
import { hasFlag, type Message } from '../../store/messages.ts'
import { nameOf } from '../../store/people.ts'
import { copy } from '../parts/copy.ts'
import { notice, noticeFailure } from '../parts/notices.tsx'
import { changeTopic } from '../topic/commands.ts'
import { setFlag, type TopicRef } from './commands.ts'

// Actions on several selected messages.

/** Stars all, or none if all of them are starred. */
export function starAll(messages: Message[]) {
  const isAll = messages.every((one) => hasFlag(one, 'starred'))
  setFlag(
    messages.map(({ id }) => id),
    'starred',
    !isAll,
  )
}

/** Copies what was said, as Markdown, each message below its author and time. */
export function copyAll(messages: Message[]) {
  const texts = messages.map(
    (one) => `${nameOf(one.sender_id)}, ${dateAndTime(one.timestamp)}\n${htmlToMarkdown(one.content)}`,
  )
  void copy(texts.join('\n\n'), t('bulk.copied', { count: messages.length }))
}

/** Told how many messages are done. */
type Progress = (count: number) => void

export function deleteAll(messages: Message[], progress: Progress) {
  return eachOf(messages, 'bulk.deleted', progress, ({ id }) => remove(`/messages/${id}`))
}

/** Moves each message by itself, the oldest first, without notes in the topics. */
export function moveAll(messages: Message[], to: TopicRef, progress: Progress) {
  return eachOf(messages, 'bulk.moved', progress, (one) =>
    changeTopic(one.id, {
      propagate_mode: 'change_one',
      topic: one.subject === to.topic ? undefined : to.topic,
      stream_id: one.stream_id === to.channelId ? undefined : to.channelId,
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: false,
    }),
  )
}

/** Sends a request again whenever the server says that it allows it later: many together reach the limit of a user. */
export async function whenAllowed<T>(request: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await request()
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 429) throw error
      const pause = (error.retryAfter ?? 1) * 1000
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

/** One request after the other. The first one that fails ends it, and tells how many were done. */
async function eachOf(
  messages: Message[],
  done: 'bulk.deleted' | 'bulk.moved',
  progress: Progress,
  act: (message: Message) => Promise<unknown>,
): Promise<boolean> {
  let count = 0
  try {
    for (const message of messages) {
      await whenAllowed(() => act(message))
      progress(++count)
    }
    notice(t(done, { count }))
    return true
  } catch (error) {
    if (count > 0) notice(t(done, { count }))
    noticeFailure(error)
    return false
  }
}
