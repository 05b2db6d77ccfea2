import { expect, test } from 'vitest'
import type { Entry } from '../entry.ts'
import { logLimits } from '../limits.ts'
import { RecentByConversation, type RecentMessage, RecentMessages } from './recent-messages.ts'

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

function portionOf(...messages: RecentMessage[]): RecentByConversation {
  const portion = new RecentByConversation()
  for (const message of messages) portion.add(message)
  return portion
}

function holding(messages: RecentMessage[], from = 1, now = () => 0): RecentMessages {
  const recent = new RecentMessages(now)
  recent.follow(take).keep([portionOf(...messages)], from)
  return recent
}

function idsIn(recent: RecentMessages, recipient = 1) {
  return recent.get()?.conversations.get(recipient)?.ids
}

test('messages are those that were read, and those that were sent since their reading began', () => {
  const recent = new RecentMessages()
  const { keep } = recent.follow(take)
  recent.fold(sent(4))
  recent.fold(sent(5))
  recent.fold(sent(6, 2))
  recent.fold(deleted(1, 2, 4))
  expect(recent.get()).toBe(undefined)
  keep([portionOf(message(2), message(3)), portionOf(message(5))], 2)
  recent.fold(sent(7))
  recent.fold({ ...sent(8), body: undefined })
  expect(recent.get()).toMatchObject({
    from: 2,
    unsure: new Map([
      [2, 9],
      [4, 9],
      [8, 8],
    ]),
  })
  expect(idsIn(recent)).toEqual([2, 3, 5, 7])
  expect(idsIn(recent, 2)).toEqual([6])
})

test('messages that may have changed are noted, if they are in memory', () => {
  const recent = holding([message(2, 1, { readFor: 7 }), message(3, 1, { readFor: 8 }), message(4)], 2)
  recent.fold(madeUnread(7, 3, 4))
  recent.fold(deleted(1))
  recent.fold(changed({ type: 'reaction', message_id: 4 }))
  recent.fold(changed({ type: 'update_message', message_ids: [3], recipient: 1, isRendering: true }))
  expect(recent.hasChangedBetween(0, 100)).toBe(false)
  recent.fold(madeUnread(7, 2, 3))
  recent.fold({ ...changed({ type: 'update_message', message_ids: [2, 4], recipient: 1 }), id: 20 })
  expect(recent.get()?.unsure).toEqual(
    new Map([
      [2, 9],
      [4, 20],
    ]),
  )
  const spans = [
    [8, 9],
    [9, 19],
    [9, 20],
    [20, 30],
  ] as const
  expect(spans.map(([first, last]) => recent.hasChangedBetween(first, last))).toEqual([
    true,
    false,
    true,
    false,
  ])
})

test('a message that is marked as unread while others are read may be its sender’s own', () => {
  const recent = new RecentMessages()
  const { keep } = recent.follow(take)
  recent.fold(madeUnread(7, 2))
  keep([portionOf(message(2, 1, { readFor: 7 }))], 1)
  expect([...recent.get()!.unsure.keys()]).toEqual([2])
})

test('all is forgotten if too much may have changed, and a reading that had begun is in vain', () => {
  const { recentUnsureMessages } = logLimits
  const recent = new RecentMessages()
  const old = recent.follow(take)
  const { keep } = recent.follow(take)
  old.keep([portionOf(message(1))], 1)
  old.abandon()
  expect(recent.get()).toBe(undefined)
  recent.fold(deleted(...Array.from({ length: recentUnsureMessages + 1 }, (_, i) => i + 1)))
  keep([portionOf(message(1))], 1)
  expect(recent.get()).toBe(undefined)
  expect(recent.use).toEqual({ messages: 0, bytes: 0 })
})

test('memory is bounded, and read again only when that is wanted', () => {
  const { recentMostMessages, recentBytesOfOrganization, recentSeconds } = logLimits
  let now = 0
  const recent = holding([], 1, () => now)
  for (let id = 1; id <= recentMostMessages; id++) recent.fold(sent(id, id % 10))
  expect(recent.use.messages).toBe(recentMostMessages)
  expect(recent.use.bytes).toBeLessThan(recentBytesOfOrganization)
  recent.fold(sent(recentMostMessages + 1))
  expect(recent.use).toEqual({ messages: 0, bytes: 0 })
  now += 1000 * recentSeconds
  expect(recent.isMissing).toBe(false)
  recent.want()
  expect(recent.isMissing).toBe(true)
  now -= 1
  expect(recent.isMissing).toBe(false)
  const long = [
    { topic: 'x'.repeat(recentBytesOfOrganization / 2) },
    { mentioned: Array(recentBytesOfOrganization / 8) },
  ]
  for (const more of long) expect(holding([message(1, 1, more)]).get()).toBe(undefined)
  now += 1
  recent.close()
  recent.want()
  expect(recent.isMissing).toBe(false)
})
