import { expect, test } from 'vitest'
import type { Entry } from '../entry.ts'
import { logLimits } from '../limits.ts'
import { Feed } from './feed.ts'

type Message = { id: number; recipient_id: number; sender_id: number; bytes: number }

const form = {
  sizeOf: ({ bytes }: Message) => bytes,
  take: (body: unknown) => (body as { message: Message }).message,
}

function message(id: number, recipient_id = 1, bytes = 100): Message {
  return { id, recipient_id, sender_id: 1, bytes }
}

function feedOf(ids: number[]): Feed {
  const feed = new Feed()
  feed.keep(
    ids.map((id) => message(id)),
    form,
  )
  return feed
}

function full(ids: number[]): Feed {
  const feed = feedOf(ids)
  feed.fill(
    ids.map((id) => message(id)),
    feed.version,
  )
  return feed
}

function sent(id: number, recipient = 1, bytes = 100): Entry {
  const body = { recipient, message: message(id, recipient, bytes) }
  const event = { type: 'message', message_id: id } as const
  return { id, stamp: 1, type: 'message', audience: { message: { id, recipient } }, event, rows: null, body }
}

function entry(event: { type: string }, users: number[] = []): Entry {
  return { id: 9, stamp: 1, type: event.type, audience: { users }, event, rows: null } as object as Entry
}

/** The slots: where each message is, and whether it is in memory. */
function shown(feed: Feed) {
  return feed.get()?.map(({ id, recipient_id, message }) => [id, recipient_id, message !== undefined])
}

test('the feed takes in what is sent, and what was read', () => {
  const feed = feedOf([3, 4])
  feed.fold(sent(4))
  feed.fold(sent(7, 2))
  feed.fold({ ...sent(8, 2), body: undefined })
  feed.fill([message(3), message(4, 5)], feed.version)
  expect(shown(feed)).toEqual([
    [3, 1, true],
    [4, 1, false],
    [7, 2, true],
    [8, 2, false],
  ])
  expect(feed.isWhole).toBe(true)
})

test('a message leaves memory when it changes, and the feed when it is deleted', () => {
  const feed = full([1, 2, 3, 4, 5, 6])
  feed.fold(entry({ type: 'reaction', message_id: 1 } as { type: string }))
  feed.fold(entry({ type: 'update_message', message_ids: [2], recipient: 1, edit: 1 } as { type: string }))
  const move = { type: 'update_message', message_ids: [3], recipient: 1, move: { to_recipient: 7 } }
  feed.fold(entry(move))
  feed.fold(
    entry({ type: 'delete_message', message_ids: [3], recipient: 1, moved_to: 7 } as { type: string }),
  )
  feed.fold(entry({ type: 'delete_message', message_ids: [4], recipient: 1 } as { type: string }))
  const unread = { type: 'update_message_flags', op: 'remove', flag: 'read', messages: [5] }
  feed.fold(entry(unread, [1]))
  expect(shown(feed)).toEqual([
    [1, 1, false],
    [2, 1, false],
    [3, 7, false],
    [5, 1, false],
    [6, 1, true],
  ])
  expect(feed.use.bytes).toBe(full([1, 2, 3, 4, 6]).use.bytes - 4 * 100)
})

test('a reading during which messages changed is not kept', () => {
  const feed = feedOf([1, 2])
  const { version } = feed
  feed.fold(entry({ type: 'reaction', message_id: 1 } as { type: string }))
  feed.fill([message(1), message(2)], version)
  expect(shown(feed)).toEqual([
    [1, 1, false],
    [2, 1, false],
  ])
})

test('the feed has a limited number of messages and of bytes', () => {
  const { newestOfOrganization, feedBytesOfOrganization } = logLimits
  const ids = Array.from({ length: newestOfOrganization }, (_, i) => i + 1)
  const feed = full(ids)
  expect(feed.isWhole).toBe(false)
  feed.fold(sent(newestOfOrganization + 1))
  expect(feed.use.messages).toBe(newestOfOrganization)
  expect(feed.get()![0]!.id).toBe(2)
  feed.fold(sent(newestOfOrganization + 2, 1, feedBytesOfOrganization / 2))
  feed.fold(sent(newestOfOrganization + 3, 1, feedBytesOfOrganization / 2))
  expect(feed.use.bytes).toBeLessThanOrEqual(feedBytesOfOrganization)
  expect(feed.get()!.at(-1)!.id).toBe(newestOfOrganization + 3)
  feed.close()
  expect(feed.use).toMatchObject({ messages: 0, bytes: 0 })
})

test('the numbers of conversations are right and small, however many come and go', () => {
  const { newestOfOrganization } = logLimits
  const feed = feedOf([1])
  for (let id = 2; id < 4 * newestOfOrganization; id++) feed.fold(sent(id, 10_000_000 + id))
  const moved = 4 * newestOfOrganization - 1
  const move = { type: 'update_message', message_ids: [moved], recipient: 1, move: { to_recipient: 7 } }
  feed.fold(entry(move))
  const slots = feed.get()!
  expect(slots.at(-1)).toMatchObject({ id: moved, recipient_id: 7 })
  expect(slots.map(({ recipient_id }) => feed.numberOf(recipient_id))).toEqual(
    slots.map(({ conversation }) => conversation),
  )
  expect(new Set(slots.map(({ conversation }) => conversation)).size).toBe(newestOfOrganization)
  expect(feed.numberCount).toBeLessThanOrEqual(2 * newestOfOrganization)
  expect(Math.max(...slots.map(({ conversation }) => conversation))).toBeLessThan(feed.numberCount)
})
