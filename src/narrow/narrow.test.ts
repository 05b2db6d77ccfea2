import { describe, expect, test } from 'vitest'
import type { Condition, MessageFacts } from './condition.ts'
import type { NarrowLookup } from './operators.ts'
import { conditionToPredicate } from './predicate.ts'
import { resolveNarrow, resolveQueueNarrow } from './resolve.ts'
import { NarrowError, parseNarrow, parseQueueNarrow } from './terms.ts'

const me = 1
const carol = 2
const dave = 3

/** Recipients: 10 Verona, 11 secret; with Carol 20, with Dave 21, with both 22, with the user alone 23. */
const conversations: Record<string, number> = { '1,2': 20, '1,3': 21, '1,2,3': 22, '1': 23 }
const users: Record<string, number> = { 'me@x': me, 'carol@x': carol, 'dave@x': dave, 'eve@x': 4 }
const channels = [
  { id: 100, recipientId: 10, name: 'Verona' },
  { id: 101, recipientId: 11, name: 'secret' },
]

const lookup: NarrowLookup = {
  channel: (ref) =>
    channels.find(({ id, name }) => id === ref || name.toLowerCase() === String(ref).toLowerCase()),
  user: (ref) => {
    const id = typeof ref === 'number' ? Object.values(users).find((known) => known === ref) : users[ref]
    return id === undefined ? undefined : { id }
  },
  realmId: 1,
  me,
  conversation: (userIds) => conversations[userIds.join(',')],
  conversationsIncluding: (userId) =>
    Object.entries(conversations).flatMap(([ids, recipient]) =>
      ids.split(',').includes(String(userId)) ? [recipient] : [],
    ),
  directRecipients: () => Object.values(conversations),
  publicRecipients: () => [10],
  webPublicRecipients: () => [],
  mutedRecipients: () => [],
  currentConversations: () => ({ recipients: [10, 22], since: [0, 0] }),
  emptyTopicName: 'general chat',
}

/** Nothing special, but for this. */
function message(what: Partial<MessageFacts>): MessageFacts {
  const plain = { topic: '', hasLink: false, hasImage: false, hasAttachment: false, flags: ['read'] }
  const { recipientId = 10 } = what
  return { id: 0, recipientId, isDirect: recipientId >= 20, senderId: me, ...plain, ...what }
}

const messages: MessageFacts[] = [
  message({
    id: 1,
    recipientId: 10,
    senderId: carol,
    topic: 'lunch',
    hasLink: true,
    flags: ['read', 'starred'],
  }),
  message({ id: 2, recipientId: 10, senderId: me, topic: '' }),
  message({ id: 3, recipientId: 11, senderId: carol, topic: 'Lunch', hasLink: true, hasImage: true }),
  message({ id: 4, recipientId: 20, senderId: carol, topic: '' }),
  message({
    id: 5,
    recipientId: 21,
    senderId: dave,
    hasAttachment: true,
    flags: ['mentioned', 'has_alert_word'],
  }),
  message({ id: 6, recipientId: 22, senderId: me, flags: [] }),
  message({ id: 7, recipientId: 23, senderId: me, topic: '' }),
]
const all = [1, 2, 3, 4, 5, 6, 7]

function idsWithin(condition: Condition): number[] {
  return messages.filter(conditionToPredicate(condition)).map((message) => message.id)
}

function narrowed(narrow: unknown): number[] {
  return idsWithin(resolveNarrow(parseNarrow(narrow), lookup))
}

describe('what a term selects', () => {
  const cases: [operator: string, operand: unknown, ids: number[]][] = [
    ['channel', 'Verona', [1, 2]],
    ['stream', 'VERONA', [1, 2]],
    ['channel', 101, [3]],
    ['channels', 'public', [1, 2]],
    ['streams', 'public', [1, 2]],
    ['topic', 'lunch', [1, 3]],
    ['topic', 'LUNCH', [1, 3]],
    ['topic', 'lun', []],
    ['topic', '', [2]],
    ['topic', 'general chat', [2]],
    ['sender', 'carol@x', [1, 3, 4]],
    ['sender', carol, [1, 3, 4]],
    ['sender', 'me', [2, 6, 7]],
    ['dm', 'carol@x', [4]],
    ['dm', 'carol@x, dave@x', [6]],
    ['dm', 'dave@x,carol@x,me@x,dave@x', [6]],
    ['dm', [carol], [4]],
    ['dm', [dave, carol], [6]],
    ['dm', carol, [4]],
    ['dm', 'me', [7]],
    ['dm', [me], [7]],
    ['dm', [], []],
    ['dm', 'eve@x', []],
    ['pm-with', 'carol@x', [4]],
    ['pm_with', 'carol@x', [4]],
    ['dm-including', dave, [5, 6]],
    ['dm-including', 'dave@x', [5, 6]],
    ['dm-including', 'eve@x', []],
    ['dm-including', 'me', [4, 5, 6, 7]],
    ['group-pm-with', dave, [6]],
    ['group_pm_with', 'dave@x', [6]],
    ['is', 'dm', [4, 5, 6, 7]],
    ['is', 'private', [4, 5, 6, 7]],
    ['is', 'starred', [1]],
    ['is', 'alerted', [5]],
    ['is', 'mentioned', [5]],
    ['is', 'unread', [5, 6]],
    ['is', 'resolved', []],
    ['channels', 'web-public', []],
    ['has', 'link', [1, 3]],
    ['has', 'image', [3]],
    ['has', 'attachment', [5]],
    ['id', 3, [3]],
    ['id', '3', [3]],
    ['id', '99', []],
  ]

  test.each(cases)('%s %j', (operator, operand, ids) => {
    expect(narrowed([{ operator, operand }])).toEqual(ids)
    expect(narrowed([{ operator, operand, negated: false }])).toEqual(ids)
    expect(narrowed([{ operator, operand, negated: true }])).toEqual(all.filter((id) => !ids.includes(id)))
    if (typeof operand === 'string') expect(narrowed([[operator, operand]])).toEqual(ids)
  })

  test.each([
    ['near', '5'],
    ['in', 'all'],
  ])('%s %j restricts nothing, negated or not', (operator, operand) => {
    expect(narrowed([{ operator, operand }])).toEqual(all)
    expect(narrowed([{ operator, operand, negated: true }])).toEqual(all)
  })

  test('the terms all have to hold', () => {
    expect(narrowed([])).toEqual(all)
    expect(narrowed([['channel', 'Verona'], { operator: 'topic', operand: 'lunch' }])).toEqual([1])
    expect(narrowed([['channel', 'Verona'], { operator: 'topic', operand: 'lunch', negated: true }])).toEqual(
      [2],
    )
    expect(
      narrowed([
        ['channel', 'Verona'],
        ['channel', 'secret'],
      ]),
    ).toEqual([])
    expect(
      narrowed([
        ['is', 'dm'],
        ['sender', 'me'],
        ['near', '1'],
      ]),
    ).toEqual([6, 7])
  })

  test('letters of other scripts have cases, too', () => {
    const inTopic = conditionToPredicate({ kind: 'topic', name: 'ΟΔΟΣ Ünï İ' })
    expect(inTopic(message({ topic: 'οδοσ üNÏ i' }))).toBe(true)
    expect(inTopic(message({ topic: 'οδος üNÏ i' }))).toBe(false)
  })
})

describe('what is refused', () => {
  const badNarrow: [operator: string, operand: unknown, text: string][] = [
    ['bogus', 'x', 'unknown operator bogus'],
    ['constructor', 'x', 'unknown operator constructor'],
    ['Channel', 'Verona', 'unknown operator Channel'],
    ['channel', 'nosuch', 'unknown channel nosuch'],
    ['stream', 99999, 'unknown channel 99999'],
    ['channels', 'bogus', 'unknown channels operand bogus'],
    ['sender', 'nobody@x.com', 'unknown user nobody@x.com'],
    ['sender', 99999, 'unknown user 99999'],
    ['dm-including', 99999, 'unknown user 99999'],
    ['dm', [99999], 'unknown user in [99999]'],
    ['dm', [carol, 99999], 'unknown user in [2, 99999]'],
    ['dm', 'carol@x, nobody@x', 'unknown user in carol@x, nobody@x'],
    ['is', 'bogus', "unknown 'is' operand bogus"],
    ['is', 'toString', "unknown 'is' operand toString"],
    ['has', 'bogus', "unknown 'has' operand bogus"],
    ['in', 'bogus', "unknown 'in' operand bogus"],
    ['id', 'abc', 'Invalid message ID'],
    ['id', -1, 'Invalid message ID'],
    ['id', '99999999999999999999', 'Invalid message ID'],
    ['with', 'abc', "Invalid 'with' operator"],
    ['with', -1, "Invalid 'with' operator"],
  ]

  test.each(badNarrow)('%s %j', (operator, operand, text) => {
    for (const negated of [false, true]) {
      const error = errorOf(() => narrowed([{ operator, operand, negated }]))
      expect([error.code, error.data.desc]).toEqual(['BAD_NARROW', text])
      expect(error.message).toBe(`Invalid narrow operator: ${text}`)
    }
  })

  const notAPair = 'Invalid narrow[0]: Value error, element is not a string pair'
  const badShape: [narrow: unknown, text: string][] = [
    [{}, 'narrow is not a list'],
    ['x', 'narrow is not a list'],
    [null, 'narrow is not a list'],
    [[1], 'Invalid narrow[0]: Value error, dict or list required'],
    [[null], 'Invalid narrow[0]: Value error, dict or list required'],
    [[['channel', 'Verona'], 'x'], 'Invalid narrow[1]: Value error, dict or list required'],
    [[[]], notAPair],
    [[['a']], notAPair],
    [[['a', 'b', 'c']], notAPair],
    [[['channel', 417]], notAPair],
    [[['channel', null]], notAPair],
    [[[1, 2]], notAPair],
    [[['dm', [7]]], notAPair],
    [[{ operator: 'channel' }], 'Invalid narrow[0]: Value error, operand is missing'],
    [[{ operand: 'x' }], 'Invalid narrow[0]: Value error, operator is missing'],
    [[{ operator: 1, operand: 'x' }], 'narrow[0]["operator"] is not a string'],
    [[{ operator: 'channel', operand: 'Verona', negated: 'x' }], 'narrow[0]["negated"] is not a boolean'],
    [[{ operator: 'channel', operand: ['Verona'] }], 'operand is not a string or integer'],
    [[{ operator: 'channel', operand: null }], 'operand is not a string or integer'],
    [[{ operator: 'sender', operand: [1] }], 'operand is not a string or integer'],
    [[{ operator: 'id', operand: 1.5 }], 'operand is not a string or integer'],
    [[{ operator: 'topic', operand: 5 }], 'operand is not a string'],
    [[{ operator: 'near', operand: 5 }], 'operand is not a string'],
    [[{ operator: 'group', operand: 1 }], 'operand is not a string'],
    [[{ operator: 'dm', operand: { id: 1 } }], 'operand is not a string or an integer list'],
    [[{ operator: 'dm', operand: [1, 'x'] }], 'operand[1] is not an integer'],
    [[['search', ' ']], 'operand cannot be blank.'],
    [Array(101).fill(['channel', 'Verona']), 'narrow has too many values (limit: 100)'],
  ]

  test.each(badShape)('%j', (narrow, text) => {
    const error = errorOf(() => parseNarrow(narrow))
    expect([error.code, error.message]).toEqual(['BAD_REQUEST', text])
  })
})

describe('the narrow of an event queue', () => {
  const queueIds = (pairs: [string, string][]) =>
    idsWithin(resolveQueueNarrow(parseQueueNarrow(pairs), lookup))

  test.each<[string, string, number[]]>([
    ['stream', 'verona', [1, 2]],
    ['channel', 'SECRET', [3]],
    ['topic', 'Lunch', [1, 3]],
    ['sender', 'carol@x', [1, 3, 4]],
    ['is', 'private', [4, 5, 6, 7]],
    ['is', 'dm', [4, 5, 6, 7]],
    ['dm', 'carol@x', [4]],
    ['pm-with', 'carol@x, dave@x', [6]],
  ])('%s %s', (operator, operand, ids) => {
    expect(queueIds([[operator, operand]])).toEqual(ids)
  })

  test('nothing is in what does not exist', () => {
    expect(queueIds([['channel', 'nosuch']])).toEqual([])
    expect(queueIds([['sender', 'nobody@x']])).toEqual([])
    expect(queueIds([])).toEqual(all)
  })

  test.each(['bogus', 'near', 'id', 'search', 'with', 'dm-including', 'constructor'])(
    'not %s',
    (operator) => {
      const error = errorOf(() => parseQueueNarrow([[operator, 'x']]))
      expect([error.code, error.message]).toEqual(['BAD_REQUEST', `Operator ${operator} not supported.`])
    },
  )

  test('is followed is not known to queues', () => {
    expect(() => parseQueueNarrow([['is', 'followed']])).toThrow('Operator is not supported.')
  })

  test('is starred, by the flags that a message comes with', () => {
    expect(queueIds([['is', 'starred']])).toEqual([1])
    expect(queueIds([['is', 'unread']])).toEqual([5, 6])
  })

  test.each(['stream', 'muted', 'toString'])('is %s restricts nothing', (word) => {
    expect(queueIds([['is', word]])).toEqual(all)
  })
})

function errorOf(work: () => unknown): NarrowError {
  try {
    work()
  } catch (error) {
    if (error instanceof NarrowError) return error
    throw error
  }
  throw new Error('nothing was refused')
}
