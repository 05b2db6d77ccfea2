import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import type { ChannelRow } from '../../../db/schema.ts'
import { ByteBudget } from '../../../lib/collections/byte-budget.ts'
import { memoizePer } from '../../../lib/collections/memoize-per.ts'
import { lower } from '../../../lib/text/lower.ts'
import type { ClientEvent } from '../../../log/entry.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { Realms } from '../../../log/realms.ts'
import { bytesOfText } from '../../../queues/queue.ts'
import type { DeleteEvent } from '../editing/delete_message.event.ts'
import type { UpdateEvent } from '../editing/update_message.event.ts'
import { topicLimits } from './limits.ts'

/** The names of a conversation's topics, in small letters. */
type Topics = { recipient: number; names: Set<string> }

const budget = new ByteBudget<Topics>(topicLimits.knownTopicBytesOfNode, topicLimits.knownTopicBytes)

/** The bytes that the topics of a conversation, and each name, take besides the text of the name. */
const [bytesPerConversation, bytesPerName] = [400, 80]

/** The topics that have messages. Only the first sends to a topic query the database. */
const knownTopics = memoizePer<RealmState, KnownTopics>(() => new KnownTopics())

class KnownTopics {
  private readonly byConversation = new Map<number, Topics>()
  private readonly share = budget.share(({ recipient }) => this.forget(recipient))

  has(recipient: number, name: string): boolean {
    const topics = this.byConversation.get(recipient)
    if (topics) this.share.use(topics)
    return topics?.names.has(name) ?? false
  }

  add(recipient: number, name: string) {
    const topics = this.byConversation.get(recipient) ?? { recipient, names: new Set() }
    if (topics.names.has(name)) return
    const isNew = topics.names.size === 0
    this.byConversation.set(recipient, topics)
    topics.names.add(name)
    this.share.grow(topics, (isNew ? bytesPerConversation : 0) + bytesPerName + bytesOfText(name))
  }

  forget(recipient: number) {
    const topics = this.byConversation.get(recipient)
    if (!topics) return
    this.byConversation.delete(recipient)
    this.share.remove(topics)
  }
}

/** Returns whether a channel has messages in a topic. */
export async function topicExists(
  realm: RealmState,
  read: Pick<Reader, 'rows'>,
  channel: Pick<ChannelRow, 'recipient_id'>,
  topic: string,
) {
  const recipient = channel.recipient_id
  const name = lower(topic)
  if (knownTopics(realm).has(recipient, name)) return true
  const [found] = await read.rows<{ one: number }>(sql`
    SELECT 1 AS one FROM message WHERE realm_id = ${realm.id} AND recipient_id = ${recipient}
    AND lower(topic) = lower(${topic}::text) LIMIT 1`)
  if (found) knownTopics(realm).add(recipient, name)
  return found !== undefined
}

/** Forgets a channel's topics after messages in it were moved or deleted. */
export function forgetEmptiedTopics(realms: Realms) {
  realms.listen(({ state }, entries) => {
    for (const { event } of entries) if (takesAway(event)) knownTopics(state).forget(event.recipient)
  })
}

function takesAway(event: ClientEvent | null): event is DeleteEvent | UpdateEvent {
  return event?.type === 'delete_message' || (event?.type === 'update_message' && 'move' in event)
}
