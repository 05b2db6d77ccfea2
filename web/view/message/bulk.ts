import { remove } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { plainText } from '../../lib/plain-text.ts'
import { dateAndTime } from '../../lib/time.ts'
import { hasFlag, type Message } from '../../store/messages.ts'
import { nameOf } from '../../store/people.ts'
import { hour12 } from '../../store/time-format.ts'
import { notice, noticeFailure } from '../parts/notices.tsx'
import { changeTopic, copy, setFlag, type TopicRef } from './commands.ts'

// What is done with several messages together.

/** Stars all, or none if all of them are starred. */
export function starAll(messages: Message[]) {
  const isAll = messages.every((one) => hasFlag(one, 'starred'))
  setFlag(
    messages.map(({ id }) => id),
    'starred',
    !isAll,
  )
}

/** Copies what was said, each message below its author and time. */
export function copyAll(messages: Message[]) {
  const texts = messages.map(
    (one) => `${nameOf(one.sender_id)}, ${dateAndTime(one.timestamp, hour12())}\n${plainText(one.content)}`,
  )
  copy(texts.join('\n\n'), t('bulk.copied', { count: messages.length }))
}

export function deleteAll(messages: Message[]) {
  return eachOf(messages, 'bulk.deleted', ({ id }) => remove(`/messages/${id}`))
}

/** Moves each message by itself, the oldest first, without notes in the topics. */
export function moveAll(messages: Message[], to: TopicRef) {
  return eachOf(messages, 'bulk.moved', (one) =>
    changeTopic(one.id, {
      propagate_mode: 'change_one',
      topic: one.subject === to.topic ? undefined : to.topic,
      stream_id: one.stream_id === to.channelId ? undefined : to.channelId,
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: false,
    }),
  )
}

/** One request after the other. The first one that fails ends it, and tells how many were done. */
async function eachOf(
  messages: Message[],
  done: 'bulk.deleted' | 'bulk.moved',
  act: (message: Message) => Promise<unknown>,
): Promise<boolean> {
  let count = 0
  try {
    for (const message of messages) {
      await act(message)
      count++
    }
    notice(t(done, { count }))
    return true
  } catch (error) {
    if (count > 0) notice(t(done, { count }))
    noticeFailure(error)
    return false
  }
}
