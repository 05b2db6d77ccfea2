import { expect, test } from 'vitest'
import { heapInUse } from '../../test/memory.ts'
import { direct } from '../../test/messages.ts'
import type { Organization } from '../../test/organization.ts'
import { testServer } from '../../test/test-server.ts'
import type { StreamReader } from './event-stream.ts'
import { queueLimits } from './limits.ts'

const server = testServer()

/** A client that reads nothing after the first events until it is told to. */
class SlowReader implements StreamReader {
  readonly ids: number[] = []
  private isReading = false
  private goOn: (() => void) | undefined

  send(events: Parameters<StreamReader['send']>[0]) {
    this.ids.push(...events.map(({ id }) => id))
    return this.isReading
  }

  whenDrained(go: () => void) {
    this.goOn = go
  }

  get hasStopped() {
    return this.goOn !== undefined
  }

  read() {
    this.isReading = true
    this.goOn?.()
  }

  isAllowed() {
    return true
  }

  noteUpToDate() {}
  whenGone() {}
  end() {}
  fail(error: Error) {
    throw error
  }
}

/** Opens the stream of a new queue that lacks everything since the client registered. */
async function openers(org: Organization, count: number) {
  const queues = server.node.app.queues.of(org.log)
  const registered = await Promise.all(
    Array.from({ length: count }, () =>
      org.owner.register({ event_types: ['message'], apply_markdown: true }),
    ),
  )
  return registered.map(({ queueId, state }) => async () => {
    const reader = new SlowReader()
    const queue = await queues.find(org.owner.id, queueId)
    queues.sendTo(queue, { after: state.last_event_id, first: [] }, reader)
    return reader
  })
}

test('clients that do not read take the memory of a node, and miss nothing when they read on', async () => {
  const org = await server.organization()
  const count = (1.25 * queueLimits.unreadEventBytes) / queueLimits.eventBytesPerAnswer
  const opens = await openers(org, count)
  // Four times as long in HTML.
  const content = '<'.repeat(9_900)
  for (let sent = 0; sent < 70; sent++) await direct(org.owner, [org.owner], content)
  // Each client gets texts of its own, read from the log.
  server.node.app.queues.of(org.log).reload()
  const before = heapInUse()
  const readers: SlowReader[] = []
  // One after the other: all at the same time could wait for the database longer than a request may.
  for (const open of opens) {
    const reader = await open()
    await expect.poll(() => reader.hasStopped, { interval: 5 }).toBe(true)
    readers.push(reader)
  }
  expect(heapInUse() - before).toBeLessThan(1.1 * queueLimits.unreadEventBytes)
  for (const reader of readers) {
    reader.read()
    await expect.poll(() => reader.ids.length, { interval: 5 }).toBe(70)
  }
  for (const { ids } of readers) expect(ids).toEqual(ids.map((_, i) => ids[0]! + i))
})
