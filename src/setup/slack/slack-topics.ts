import { messageLimits } from '../../features/kernel/messages/limits.ts'
import { cutTopic } from '../../features/kernel/messages/message-text.ts'
import { emptyTopicDisplayName } from '../../features/kernel/topics/shown-topic.ts'
import { firstCharacters } from '../../lib/text/characters.ts'
import { lower } from '../../lib/text/lower.ts'
import { withoutUnprintable } from '../../lib/text/unprintable.ts'
import type { SlackMessage } from './slack-export.ts'

/**
 * The topics of imported channels: each thread has one of its own, named by how its first message begins. Messages outside of
 * threads have no topic ("general chat").
 */
export class SlackTopics {
  /** By channel and thread. */
  private readonly topics = new Map<string, string>()
  /** By channel and name in lower case. */
  private readonly taken = new Set<string>()
  /** By the same: how many threads have had that name so far, with a number behind it or without. */
  private readonly alike = new Map<string, number>()

  /** Returns the topic of a message. `content` is its Markdown. */
  of(placeId: string, { ts, thread_ts, reply_count }: SlackMessage, content: string): string {
    const begins = thread_ts === ts && reply_count > 0
    const isReply = thread_ts !== undefined && thread_ts !== ts
    if (!begins && !isReply) return ''
    const thread = `${placeId} ${thread_ts}`
    const known = this.topics.get(thread)
    if (known !== undefined) return known
    // The first message of a thread may have been deleted.
    const topic = this.freeTopic(placeId, begins ? titleOf(content) : '')
    this.topics.set(thread, topic)
    return topic
  }

  private freeTopic(placeId: string, title: string): string {
    const name = title || 'thread'
    const first = `${placeId} ${lower(cutTopic(name))}`
    // Thousands of threads may begin alike.
    for (let i = this.alike.get(first) ?? 1; ; i++) {
      const ending = i === 1 ? '' : ` (${i})`
      const topic = withEnding(name, ending)
      const key = `${placeId} ${lower(topic)}`
      if (this.taken.has(key) || reserved.has(lower(topic))) continue
      this.taken.add(key)
      this.alike.set(first, i + 1)
      return topic
    }
  }
}

/** The names that clients show for the empty topic. */
const reserved: ReadonlySet<string> = new Set([emptyTopicDisplayName, '(no topic)'])

function withEnding(title: string, ending: string): string {
  const cut = cutTopic(title)
  const room = messageLimits.topicLength - ending.length
  return firstCharacters(cut, room).trim() + ending
}

/** Returns the first line of a message as plain text. */
function titleOf(content: string): string {
  const line = content.split('\n').find((one) => /[\p{L}\p{N}]/u.test(one)) ?? ''
  return withoutUnprintable(line.slice(0, 10 * messageLimits.topicLength))
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/([@#])_?\*\*([^*|]+)(?:\|\d+)?\*\*/g, '$1$2')
    .replaceAll(/:[\w+-]+:|[*`~]+|^[>\s✔]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
