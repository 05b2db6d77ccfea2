import { expect, test } from 'vitest'
import type { Entry } from './entry.ts'
import { logLimits } from './limits.ts'
import { type RecentMessage, RecentMessages } from './recent-messages.ts'

const lunch = 'lunch'

function message(id: number, recipient = 1, more: Partial<RecentMessage> = {}): RecentMessage {
  return { id, recipient, topic: lunch, readFor: 0, mentioned: null, ...more }
}

const take = (body: unknown) => body as RecentMessage | undefined

function sent(id: number, recipient = 1): Entry {
  const body = message(id, recipient)
  const event = { type: 'message', message_id: id } as const
  return { id, stamp: 1, type: 'message', audience: { message: { id, recipient } }, event, rows: null, body }
}

function changed(event: { type: string } & Record<string, unknown>, users: number[] = []): Entry {
  return { id: 9, stamp: 1, type: event.type, audience: { users }, event, rows: null } as object as Entry
}

const deleted = (...message_ids: number[]) => changed({ type: 'delete_message', message_ids, recipient: 1 })
const madeUnread = (user: number, ...messages: number[]) =>
  changed({ type: 'update_message_flags', op: 'remove', flag: 'read', messages }, [user])

function holding(messages: RecentMessage[], from = 1): RecentMessages {
  const recent = new RecentMessages()
  recent.follow(take)(messages, from)
  return recent
}

function idsIn(recent: RecentMessages, recipient = 1) {
  return recent.get()?.conversations.get(recipient)?.ids
}

test('messages are those that were read, and those that were sent since their reading began', () => {
  const recent = new RecentMessages()
  const keep = recent.follow(take)
  recent.fold(sent(4))
  recent.fold(sent(5))
  recent.fold(sent(6, 2))
  recent.fold(deleted(4, 2))
  expect(recent.get()).toBe(undefined)
  keep([message(2), message(3), message(5)], 2)
  recent.fold(sent(7))
  recent.fold({ ...sent(8), body: undefined })
  expect(recent.get()).toMatchObject({ from: 2, unsure: new Set([4, 2, 8]) })
  expect(idsIn(recent)).toEqual([2, 3, 5, 7])
  expect(idsIn(recent, 2)).toEqual([6])
})

test('messages that may have changed are noted, if they are in memory', () => {
  const recent = holding([message(2, 1, { readFor: 7 }), message(3, 1, { readFor: 8 }), message(4)], 2)
  const { version } = recent
  recent.fold(madeUnread(7, 3, 4))
  recent.fold(deleted(1))
  recent.fold(changed({ type: 'reaction', message_id: 4 }))
  expect(recent.version).toBe(version)
  recent.fold(madeUnread(7, 2, 3))
  expect(recent.version).toBeGreaterThan(version)
  recent.fold(changed({ type: 'update_message', message_ids: [4], recipient: 1 }))
  expect(recent.get()?.unsure).toEqual(new Set([2, 4]))
})

test('a message that is marked as unread while others are read may be its sender’s own', () => {
  const recent = new RecentMessages()
  const keep = recent.follow(take)
  recent.fold(madeUnread(7, 2))
  keep([message(2, 1, { readFor: 7 })], 1)
  expect(recent.get()?.unsure).toEqual(new Set([2]))
})

test('all is forgotten if too much may have changed, and a reading that had begun is in vain', () => {
  const { recentUnsureMessages } = logLimits
  const recent = new RecentMessages()
  const keepOld = recent.follow(take)
  const keep = recent.follow(take)
  keepOld([message(1)], 1)
  expect(recent.get()).toBe(undefined)
  recent.fold(deleted(...Array.from({ length: recentUnsureMessages + 1 }, (_, i) => i + 1)))
  keep([message(1)], 1)
  expect(recent.get()).toBe(undefined)
  expect(recent.use).toEqual({ messages: 0, bytes: 0 })
})

test('memory is bounded, and read again only when that is wanted', () => {
  const { recentMostMessages, recentBytesOfOrganization } = logLimits
  const recent = holding([])
  for (let id = 1; id <= recentMostMessages; id++) recent.fold(sent(id, id % 10))
  expect(recent.use.messages).toBe(recentMostMessages)
  expect(recent.use.bytes).toBeLessThan(recentBytesOfOrganization)
  recent.fold(sent(recentMostMessages + 1))
  expect(recent.use).toEqual({ messages: 0, bytes: 0 })
  expect(recent.isMissing).toBe(false)
  recent.want()
  expect(recent.isMissing).toBe(true)
  const long = holding([message(1, 1, { topic: 'x'.repeat(recentBytesOfOrganization / 2) })])
  expect(long.get()).toBe(undefined)
  recent.close()
  recent.want()
  expect(recent.isMissing).toBe(false)
})
