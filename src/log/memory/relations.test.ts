import { expect, test } from 'vitest'
import type { Entry } from '../entry.ts'
import { logLimits } from '../limits.ts'
import { type Relation, Relations } from './relations.ts'

const [anna, ben] = [1, 2]

function relation(from = 1): Relation {
  return { from, readUpTo: 5, read: [[1, 5]], readSince: new Map(), flags: new Map() }
}

function entry(event: object, more: object = {}): Entry {
  const { type } = event as { type: string }
  return { id: 9, stamp: 1, type, rows: null, audience: null, event, ...more } as Entry
}

function flags(
  users: number[],
  op: 'add' | 'remove',
  flag: string,
  messages: number[],
  recipients?: number[],
) {
  const event = { type: 'update_message_flags', op, flag, messages, all: false, recipients }
  return entry(event, { audience: { users } })
}

function sent(id: number, recipient: number, calls: object = {}) {
  const body = { recipient, mentioned: [], alerted: [], ...calls }
  return entry({ type: 'message', message_id: id }, { audience: { message: { id, recipient } }, body })
}

test('a relation follows what its reader does with messages of the conversation', () => {
  const relations = new Relations()
  for (const reader of [anna, ben])
    for (const recipient of [1, 2]) relations.put(reader, recipient, relation(3))
  relations.fold(flags([anna], 'add', 'read', [2, 7], [1]))
  relations.fold(flags([anna], 'remove', 'read', [4], [1]))
  expect(relations.get(anna, 1, 3)?.readSince).toEqual(
    new Map([
      [7, true],
      [4, false],
    ]),
  )
  relations.fold(sent(8, 1, { mentioned: [anna], alerted: [anna] }))
  relations.fold(flags([anna], 'add', 'collapsed', [8], [1]))
  expect(relations.get(anna, 1, 3)?.flags.get(8)).toEqual(['collapsed', 'has_alert_word', 'mentioned'])
  for (const [reader, recipient] of [
    [anna, 2],
    [ben, 1],
  ] as const) {
    expect(relations.get(reader, recipient, 3)).toMatchObject({ readSince: new Map() })
  }
})

test('a relation knows below which message everything is read, also where it does not cover the messages', () => {
  const relations = new Relations()
  relations.put(anna, 1, { ...relation(9), readUpTo: 9 })
  relations.fold(flags([anna], 'add', 'read', [4], [1]))
  expect(relations.get(anna, 1, 9)?.readUpTo).toBe(9)
  relations.fold(flags([anna], 'remove', 'read', [7, 5, 11], [1]))
  expect(relations.get(anna, 1, 9)?.readUpTo).toBe(5)
})

test('a relation that begins later is none of earlier messages', () => {
  const relations = new Relations()
  relations.put(anna, 1, relation(5))
  expect(relations.get(anna, 1, 4)).toBeUndefined()
  expect(relations.get(anna, 1, 6)).toBeDefined()
})

test('relations end where an entry does not tell what has become of them', () => {
  const unclear: Entry[] = [
    flags([anna], 'add', 'read', [7]),
    entry({ type: 'update_message', recipient: 1, message_ids: [7], edit: 1 }),
    entry({ type: 'update_message', recipient: 3, message_ids: [7], move: { to_recipient: 1 } }),
    { ...sent(8, 1), body: undefined },
    sent(8, 1, { recipient: 2 }),
  ]
  for (const one of unclear) {
    const relations = new Relations()
    relations.put(anna, 1, relation())
    relations.put(ben, 2, relation())
    relations.fold(one)
    expect(relations.get(anna, 1, 1)).toBeUndefined()
    expect(relations.get(ben, 2, 1)).toBeDefined()
  }
})

test('what a reader has touched is forgotten when that may have changed', () => {
  const changes: Entry[] = [
    flags([anna], 'add', 'starred', [7], [1]),
    entry({ type: 'reaction', user_id: anna, message_id: 7 }),
    entry({ type: 'rows' }, { event: null, rows: [['subscription', `${anna}:3`, {}]] }),
    entry({ type: 'update_message', recipient: 3, message_ids: [9], move: { to_recipient: 4 } }),
    entry(
      { type: 'update_message', recipient: 3, message_ids: [9], edit: 1 },
      { body: { flags: [[anna, 'mentioned']] } },
    ),
    entry({ type: 'update_message', recipient: 3, message_ids: [7], edit: 1 }, { body: { flags: [] } }),
  ]
  const others: Entry[] = [
    flags([anna], 'add', 'read', [7], [1]),
    entry({ type: 'reaction', user_id: ben, message_id: 7 }),
    entry({ type: 'update_message', recipient: 3, message_ids: [9], edit: 1 }, { body: { flags: [] } }),
    entry({ type: 'update_message', recipient: 3, message_ids: [7], move: { to_topic: 'x' } }),
  ]
  for (const [entries, isKept] of [
    [changes, false],
    [others, true],
  ] as const) {
    for (const one of entries) {
      const relations = new Relations()
      relations.putTouched(anna, [{ id: 7, recipient_id: 3 }])
      relations.fold(one)
      expect(relations.touched(anna) !== undefined).toBe(isKept)
    }
  }
})

test('relations take a limited number of bytes, and the readers used least recently leave', () => {
  const relations = new Relations()
  const many = Array.from({ length: 30_000 }, (_, i) => i + 1)
  for (const reader of many) relations.put(reader, 1, relation())
  expect(relations.bytes).toBeLessThanOrEqual(logLimits.relationBytesOfOrganization)
  expect(relations.get(1, 1, 1)).toBeUndefined()
  expect(relations.get(many.length, 1, 1)).toBeDefined()
  // All others would have to leave for these.
  relations.putTouched(
    anna,
    Array.from({ length: 200_000 }, (_, i) => ({ id: i + 1, recipient_id: 1 })),
  )
  expect(relations.touched(anna)).toBeUndefined()
  expect(relations.get(many.length - 1, 1, 1)).toBeDefined()
  relations.fold(entry({ type: 'update_message', recipient: 1, message_ids: [7], edit: 1 }))
  relations.put(ben, 1, relation())
  relations.close()
  expect(relations.bytes).toBe(0)
  relations.put(anna, 1, relation())
  expect(relations.get(anna, 1, 1)).toBeUndefined()
})

test('a relation ends when more has changed than a new look would cost', () => {
  const relations = new Relations()
  relations.put(anna, 1, relation())
  const ids = Array.from({ length: logLimits.readInRelation + 1 }, (_, i) => i + 1)
  relations.fold(flags([anna], 'add', 'read', ids, [1]))
  expect(relations.get(anna, 1, 1)).toBeUndefined()
})

test('what a reader has read is forgotten when much of it changes in many conversations together', () => {
  const many = 100
  const all = Array.from({ length: many }, (_, i) => i + 1)
  const few = flags([anna], 'add', 'read', [7, 8], all)
  const [read, starred] = ['read', 'starred'].map((flag) =>
    flags([anna], 'add', flag, [...all, many + 1], all),
  )
  for (const [entry, isKept] of [
    [few, true],
    [read!, false],
    [starred!, false],
  ] as const) {
    const relations = new Relations()
    for (const recipient of all) relations.put(anna, recipient, relation())
    relations.put(ben, 1, relation())
    relations.fold(entry)
    expect(relations.get(anna, 1, 1) !== undefined).toBe(isKept)
    expect(relations.get(ben, 1, 1)).toBeDefined()
  }
})

test('a reader with very much in memory ends alone', () => {
  const relations = new Relations()
  const all = Array.from({ length: 40 }, (_, i) => i + 1)
  for (const recipient of all) relations.put(anna, recipient, relation())
  relations.put(ben, 1, relation())
  let rounds = 0
  for (; relations.get(anna, 1, 1); rounds++) {
    const messages = Array.from({ length: 100 }, (_, i) => rounds * 100 + i + 1)
    relations.fold(flags([anna], 'add', 'read', messages, all))
    expect(relations.bytes).toBeLessThan(2 * logLimits.relationBytesOfReader)
  }
  expect(rounds).toBeGreaterThan(1)
  expect(relations.get(ben, 1, 1)).toBeDefined()
})
