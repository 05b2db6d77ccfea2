import { expect, test } from 'vitest'
import type { Entry } from '../entry.ts'
import { logLimits } from '../limits.ts'
import { topicKey } from './message-place.ts'
import { NewestMessages } from './newest-messages.ts'

type Message = { id: number; sender_id: number; bytes: number }

/** The properties of a message in a test: it is sent in a topic. */
type Sent = { topic?: string; bytes?: number; recipient?: number }

let taken = 0
const form = {
  sizeOf: ({ bytes }: Message) => bytes,
  take(body: unknown) {
    taken++
    return (body as { message: Message }).message
  },
}

/** Messages with these ids. */
function messagesOf(ids: number[], bytes = 1000, sender_id = 1): Message[] {
  return ids.map((id) => ({ id, sender_id, bytes }))
}

/** Keeps a run of messages of a conversation or one of its topics. */
function keep(newest: NewestMessages, recipient: number, messages: Message[], name?: string, isWhole = true) {
  const topic = name === undefined ? undefined : topicKey(name)
  const read = { topic, messages, isWhole, upTo: Number.POSITIVE_INFINITY }
  newest.put(keyOf(recipient, topic), newest.watch(recipient), read, form)
}

/** Reads messages of a conversation that may not be its newest: all of them up to an id. */
function readUpTo(newest: NewestMessages, upTo: number, messages: Message[], isWhole = false) {
  newest.put('1', newest.watch(1), { topic: undefined, messages, isWhole, upTo }, form)
}

function keyOf(recipient: number, topic?: string) {
  return topic === undefined ? `${recipient}` : `${recipient} ${topic}`
}

function kept(newest: NewestMessages, ...recipients: number[]) {
  return recipients.filter((recipient) => newest.get(`${recipient}`))
}

function idsIn(newest: NewestMessages, recipient: number, topic?: string) {
  return newest.get(keyOf(recipient, topic))?.messages.map(({ id }) => id)
}

function sent(id: number, recipient: number, { topic = 'tea', bytes = 1000, ...more }: Sent = {}): Entry {
  const event = { type: 'message', message_id: id } as const
  const body = { recipient, message: { id, sender_id: 1, topic, bytes }, ...more }
  return { id, stamp: 1, type: 'message', audience: { message: { id, recipient } }, event, rows: null, body }
}

/** Almost as much as one conversation may take. */
const much = logLimits.newestBytesOfConversation - 2000
const mostRuns = Math.floor(logLimits.newestBytesOfOrganization / (much + 1026))

test('the runs of an organization take a limited number of bytes, and the least used ones leave', () => {
  const newest = new NewestMessages()
  const all = Array.from({ length: mostRuns }, (_, i) => i + 1)
  for (const recipient of all) keep(newest, recipient, messagesOf([recipient], much))
  expect(kept(newest, ...all)).toEqual(all)
  kept(newest, 1)
  keep(newest, 9, messagesOf([9], much))
  expect(kept(newest, ...all, 9)).toEqual([1, ...all.slice(2), 9])
  expect(newest.use.bytes).toBeLessThanOrEqual(logLimits.newestBytesOfOrganization)
})

test('so do those of all organizations', () => {
  const count = logLimits.newestBytes / logLimits.newestBytesOfOrganization + 1
  const all = Array.from({ length: count }, () => new NewestMessages())
  for (const newest of all) {
    for (let i = 0; i < mostRuns; i++) keep(newest, i, messagesOf([1], much))
  }
  const sizes = all.map((newest) => newest.use.bytes)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(logLimits.newestBytes)
  expect(sizes[0]).toBe(0)
})

test('a run takes in what is sent, and ends if it cannot know what that is', () => {
  const newest = new NewestMessages()
  keep(newest, 1, messagesOf([4]))
  newest.fold(sent(5, 2))
  newest.fold(sent(6, 1))
  // It was read already when the database had this one.
  newest.fold(sent(4, 1))
  expect(idsIn(newest, 1)).toEqual([4, 6])
  newest.fold({ ...sent(7, 1), body: undefined })
  expect(newest.get('1')).toBeUndefined()
  expect(newest.use.bytes).toBe(0)
})

test('a reading during which its conversation changed is not kept', () => {
  const newest = new NewestMessages()
  for (const [recipient, isKept] of [
    [1, false],
    [2, true],
  ] as const) {
    const watch = newest.watch(1)
    newest.fold(sent(9, recipient))
    const upTo = Number.POSITIVE_INFINITY
    newest.put('1', watch, { topic: undefined, messages: messagesOf([8]), isWhole: true, upTo }, form)
    expect(newest.get('1') !== undefined).toBe(isKept)
  }
})

test('a run takes memory by itself, and one without messages is not kept', () => {
  const newest = new NewestMessages()
  keep(newest, 1, [], 'x'.repeat(1000))
  expect(newest.use.runs).toBe(0)
  keep(newest, 1, messagesOf([1], 0), 'x'.repeat(1000))
  expect(newest.use.bytes).toBeGreaterThan(3000)
})

test('of a long reading only the newest messages are kept, and others stay', () => {
  const newest = new NewestMessages()
  keep(newest, 1, messagesOf([1]))
  const many = Array.from({ length: logLimits.newestOfConversation + 5 }, (_, i) => i + 1)
  keep(newest, 2, messagesOf(many, 100))
  expect(idsIn(newest, 2)).toEqual(many.slice(5))
  expect(newest.get('2')).toMatchObject({ isWhole: false })
  keep(newest, 3, messagesOf([1, 2, 3], much / 2))
  expect(idsIn(newest, 3)).toEqual([2, 3])
  keep(newest, 4, messagesOf([1], 2 * much))
  expect(kept(newest, 1, 2, 3, 4)).toEqual([1, 2, 3])
  newest.fold(sent(4, 3, { bytes: much / 2 }))
  expect(idsIn(newest, 3)).toEqual([3, 4])
  const { bytes } = newest.use
  newest.get('3')!.charge(4, much)
  expect(newest.use.bytes).toBeLessThanOrEqual(bytes + much / 2)
})

test('a longer run is not replaced by a shorter one', () => {
  const newest = new NewestMessages()
  keep(newest, 1, messagesOf([1, 2, 3]), undefined, false)
  keep(newest, 1, messagesOf([2, 3]), undefined, false)
  expect(idsIn(newest, 1)).toEqual([1, 2, 3])
  keep(newest, 1, messagesOf([0, 1, 2, 3]), undefined, false)
  expect(idsIn(newest, 1)).toEqual([0, 1, 2, 3])
})

test('a run takes in older messages that continue it', () => {
  const newest = new NewestMessages()
  readUpTo(newest, 7, messagesOf([6, 7]))
  expect(newest.get('1')).toBeUndefined()
  keep(newest, 1, messagesOf([8, 9]), undefined, false)
  const { bytes } = newest.use
  // Some may be missing in between.
  readUpTo(newest, 6, messagesOf([5, 6]))
  expect(idsIn(newest, 1)).toEqual([8, 9])
  readUpTo(newest, 7, messagesOf([5, 6]))
  readUpTo(newest, 8, messagesOf([4, 5, 6, 8]))
  expect(idsIn(newest, 1)).toEqual([4, 5, 6, 8, 9])
  expect(newest.use.bytes - bytes).toBe(3000)
  expect(newest.get('1')).toMatchObject({ isWhole: false })
  readUpTo(newest, 4, messagesOf([2, 4]), true)
  expect(newest.get('1')).toMatchObject({ isWhole: true })
  expect(idsIn(newest, 1)).toEqual([2, 4, 5, 6, 8, 9])
})

test('a run takes in no more older messages than it may have', () => {
  const newest = new NewestMessages()
  const count = logLimits.newestOfConversation
  const ids = Array.from({ length: count + 5 }, (_, i) => i + 1)
  keep(newest, 1, messagesOf(ids.slice(20), 10), undefined, false)
  readUpTo(newest, 20, messagesOf(ids.slice(0, 20), 10))
  const { bytes } = newest.use
  readUpTo(newest, 5, messagesOf(ids.slice(0, 5), 10), true)
  expect(idsIn(newest, 1)).toEqual(ids.slice(5))
  expect(newest.get('1')).toMatchObject({ isWhole: false })
  expect(newest.use.bytes).toBe(bytes)
})

test('a message concerns the runs of its topic alone', () => {
  const newest = new NewestMessages()
  for (let i = 0; i < 100; i++) keep(newest, 1, messagesOf([1]), `topic ${i}`)
  keep(newest, 1, messagesOf([1]))
  taken = 0
  newest.fold(sent(2, 1, { topic: 'Topic 7' }))
  expect(taken).toBe(2)
  expect(idsIn(newest, 1, 'topic 7')).toEqual([1, 2])
  expect(idsIn(newest, 1)).toEqual([1, 2])
  expect(idsIn(newest, 1, 'topic 8')).toEqual([1])
})

test('a run ends where only the database knows whether two names are one topic', () => {
  const newest = new NewestMessages()
  for (const name of ['été', 'istanbul', 'tea']) keep(newest, 1, messagesOf([1]), name)
  newest.fold(sent(2, 1, { topic: 'été' }))
  newest.fold(sent(3, 1, { topic: 'TEA' }))
  expect(idsIn(newest, 1, 'été')).toEqual([1, 2])
  newest.fold(sent(4, 1, { topic: 'Été' }))
  newest.fold(sent(5, 1, { topic: 'İstanbul' }))
  expect(idsIn(newest, 1, 'été')).toBeUndefined()
  expect(idsIn(newest, 1, 'istanbul')).toBeUndefined()
  expect(idsIn(newest, 1, 'tea')).toEqual([1, 3])
})

test('messages of others stay in memory when a user marks them as unread', () => {
  const newest = new NewestMessages()
  keep(newest, 1, messagesOf([1, 2, 3], 1000, 7))
  keep(newest, 2, messagesOf([4], 1000, 8))
  const unread = (users: number[], messages: number[]): Entry => ({
    ...{ id: 9, stamp: 1, type: 'update_message_flags', rows: null, audience: { users } },
    event: {
      type: 'update_message_flags',
      op: 'remove',
      operation: 'remove',
      flag: 'read',
      all: false,
      messages,
    },
  })
  newest.fold(unread([8], [1, 2, 3, 5]))
  expect(kept(newest, 1, 2)).toEqual([1, 2])
  newest.fold(unread([7], [0, 2, 9]))
  newest.fold(unread([8], [4, 5]))
  expect(kept(newest, 1, 2)).toEqual([])
})

test('nothing is kept while the log is not held in memory', () => {
  const newest = new NewestMessages()
  keep(newest, 1, messagesOf([1]))
  newest.close()
  keep(newest, 2, messagesOf([2]))
  expect(newest.use).toEqual({ runs: 0, bytes: 0, pages: 0 })
  newest.reopen()
  keep(newest, 3, messagesOf([3]))
  expect(kept(newest, 1, 2, 3)).toEqual([3])
})
