import { expect, test } from 'vitest'
import { RealmState } from '../../../log/realm-state.ts'
import { topicExists } from './known-topics.ts'
import { topicLimits } from './limits.ts'

let queries = 0
/** A database in which each topic has messages. */
const read = {
  async rows<Row>() {
    queries += 1
    return [{ one: 1 }] as Row[]
  },
}

const topics = Array.from({ length: 50_000 }, (_, i) => `${i} `.padEnd(60, 'topic '))

/** Has messages sent to all topics of a channel. They take more than half of what an organization may keep. */
async function sendAll(realm: RealmState, recipient_id: number) {
  for (const topic of topics) await topicExists(realm, read, { recipient_id }, topic)
}

/** How many topics of a channel are looked up again. */
async function lookedUp(realm: RealmState, recipient_id: number) {
  const before = queries
  for (const topic of topics) await topicExists(realm, read, { recipient_id }, topic)
  return queries - before
}

test('an organization remembers which topics have messages, those of the channels that were used last', async () => {
  const realm = new RealmState(1, () => 0)
  for (const channel of [1, 2]) await sendAll(realm, channel)
  expect(await lookedUp(realm, 2)).toBe(0)
  expect(await lookedUp(realm, 1)).toBe(topics.length)
})

test('all organizations of a node remember no more than the node has memory for', async () => {
  const count = Math.ceil((2.5 * topicLimits.knownTopicBytesOfNode) / topicLimits.knownTopicBytes)
  const realms = Array.from({ length: count }, (_, i) => new RealmState(i, () => 0))
  for (const realm of realms) await sendAll(realm, 1)
  expect(await lookedUp(realms.at(-1)!, 1)).toBe(0)
  expect(await lookedUp(realms[0]!, 1)).toBe(topics.length)
})
