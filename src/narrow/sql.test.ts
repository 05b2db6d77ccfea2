import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tries } from '../../test/runner/effort.ts'
import { sqlCompiler } from '../../test/sql-compiler.ts'
import type { Condition, MessageFacts } from './condition.ts'
import { conditionToPredicate } from './predicate.ts'
import { conditionToSql } from './sql.ts'

test('values are parameters, columns have the alias', () => {
  const condition: Condition = {
    kind: 'all',
    of: [
      { kind: 'recipient', ids: [10, 11] },
      { kind: 'not', of: { kind: 'topic', name: "x'; --" } },
    ],
  }
  expect(compiled(condition, 'message')).toEqual({
    sql: '("message"."recipient_id" = ANY($1::integer[]) AND NOT (lower("message"."topic") = lower($2::text)))',
    parameters: [[10, 11], "x'; --"],
  })
  expect(compiled({ kind: 'all', of: [] })).toEqual({ sql: 'true', parameters: [] })
})

const id = fc.integer({ min: 1, max: 4 })
const topic = fc.constantFrom('', 'a', 'A', 'b', 'Ü', 'ü')
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4 },
    fc.record({ kind: fc.constant('recipient' as const), ids: fc.array(id, { maxLength: 3 }) }),
    fc.record({ kind: fc.constant('topic' as const), name: topic }),
    fc.record({ kind: fc.constantFrom('sender' as const, 'message' as const), id }),
    fc.record({
      kind: fc.constant('contains' as const),
      what: fc.constantFrom('link' as const, 'image' as const, 'attachment' as const),
    }),
    fc.constant<Condition>({ kind: 'none' }),
    fc.record({ kind: fc.constant('not' as const), of: tie('condition') }),
    fc.record({ kind: fc.constant('all' as const), of: fc.array(tie('condition'), { maxLength: 3 }) }),
  ),
}))
const message = fc.record({
  id,
  recipientId: id,
  isDirect: fc.boolean(),
  senderId: id,
  topic,
  hasLink: fc.boolean(),
  hasImage: fc.boolean(),
  hasAttachment: fc.boolean(),
  flags: fc.constant([]),
})

test('means what the predicate means', () => {
  fc.assert(
    fc.property(condition, message, (condition, message) => {
      expect(conditionToPredicate(condition)(message)).toBe(evaluated(compiled(condition), message))
    }),
    { numRuns: tries(2_000) },
  )
})

function compiled(condition: Condition, alias?: string): { sql: string; parameters: readonly unknown[] } {
  const { sql, parameters } = conditionToSql(condition, alias).compile(sqlCompiler)
  return { sql, parameters }
}

/** Reads the SQL word by word, knowing nothing of conditions. */
function evaluated(
  { sql, parameters }: { sql: string; parameters: readonly unknown[] },
  message: MessageFacts,
) {
  const row: Record<string, unknown> = {
    id: message.id,
    recipient_id: message.recipientId,
    sender_id: message.senderId,
    topic: message.topic,
    has_link: message.hasLink,
    has_image: message.hasImage,
    has_attachment: message.hasAttachment,
  }
  const words = sql.match(/lower|"m"\."\w+"|\$\d+(?:::\w+(?:\[\])?)?|\w+|[()=]/g) ?? []
  const take = () => words.shift()!

  function conjunction(): boolean {
    let result = single()
    while (words[0] === 'AND') {
      take()
      result = single() && result
    }
    return result
  }

  function single(): boolean {
    if (words[0] === 'true' || words[0] === 'false') return take() === 'true'
    if (words[0] === 'NOT') return take() !== '' && !single()
    if (words[0] === '(') return inParentheses(conjunction)
    const left = value()
    if (typeof left === 'boolean') return left
    expect(take()).toBe('=')
    if (words[0] !== 'ANY') return left === value()
    take()
    return inParentheses(() => (value() as unknown[]).includes(left))
  }

  function value(): unknown {
    const word = take()
    if (word === 'lower') return inParentheses(() => String(value()).toLowerCase())
    if (word.startsWith('$')) return parameters[Number.parseInt(word.slice(1), 10) - 1]
    return row[/\w+(?="$)/.exec(word)![0]]
  }

  function inParentheses<T>(inner: () => T): T {
    expect(take()).toBe('(')
    const result = inner()
    expect(take()).toBe(')')
    return result
  }

  const result = conjunction()
  expect(words).toEqual([])
  return result
}
