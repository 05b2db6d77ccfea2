import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import type { ChannelRow } from '../../../db/schema.ts'
import { lower } from '../../../lib/lower.ts'
import type { ClientEvent } from '../../../log/entry.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { Realms } from '../../../log/realms.ts'
import type { DeleteEvent } from '../editing/delete_message.event.ts'
import type { UpdateEvent } from '../editing/update_message.event.ts'

const maxKnown = 100_000

/** The topics that have messages, by conversation. Only the first sends to a topic query the database. */
type Known = { count: number; topics: Map<number, Set<string>> }

const knownTopics = new WeakMap<RealmState, Known>()

/** Returns whether a channel has messages in a topic. */
export async function topicExists(
  realm: RealmState,
  read: Pick<Reader, 'rows'>,
  channel: Pick<ChannelRow, 'recipient_id'>,
  topic: string,
) {
  const recipient = channel.recipient_id
  const name = lower(topic)
  if (knownTopics.get(realm)?.topics.get(recipient)?.has(name)) return true
  const [found] = await read.rows<{ one: number }>(sql`
    SELECT 1 AS one FROM message WHERE realm_id = ${realm.id} AND recipient_id = ${recipient}
    AND lower(topic) = lower(${topic}::text) LIMIT 1`)
  if (found) learn(realm, recipient, name)
  return found !== undefined
}

function learn(realm: RealmState, recipient: number, name: string) {
  let known = knownTopics.get(realm)
  if (!known || known.count >= maxKnown) {
    known = { count: 0, topics: new Map() }
    knownTopics.set(realm, known)
  }
  const names = known.topics.get(recipient) ?? new Set()
  known.topics.set(recipient, names.add(name))
  known.count += 1
}

/** Forgets a channel's topics after messages in it were moved or deleted. */
export function forgetEmptiedTopics(realms: Realms) {
  realms.listen(({ state }, entries) => {
    const known = knownTopics.get(state)
    if (known) for (const { event } of entries) if (takesAway(event)) known.topics.delete(event.recipient)
  })
}

function takesAway(event: ClientEvent | null): event is DeleteEvent | UpdateEvent {
  return event?.type === 'delete_message' || (event?.type === 'update_message' && 'move' in event)
}
