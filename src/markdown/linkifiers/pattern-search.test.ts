import fc from 'fast-check'
import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { tries } from '../../../test/runner/effort.ts'
import { compilePattern } from './pattern.ts'
import { PatternSearch } from './pattern-search.ts'

const text = fc
  .array(fc.constantFrom(...'aaabAB_1 \n,:éλ😀'), { maxLength: 30 })
  .map((parts) => parts.join(''))

const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      ...[
        'a',
        'b',
        '1',
        ' ',
        'é',
        '😀',
        '.',
        '(?s:.)',
        '[a-b]',
        '[^a]',
        '\\w',
        '\\pL',
        '\\d+',
        '[^\\PLa]',
        '',
        '_',
      ],
      ...[
        '^',
        '$',
        '\\b',
        '\\B',
        '\\A',
        '\\z',
        '(?m:^)',
        '(?m:$)',
        '(?i:a)',
        '(?i:[ab])',
        '(?i:ſ)',
        'aab',
        '[[:alpha:]]',
      ],
    ),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => one + other),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{2}', '{0,2}', '{1,}'))
      .map(([inner, times]) => `(?:${inner})${times}`),
    fc.tuple(tie('pattern'), fc.nat(1e9)).map(([inner, name]) => `(?P<g${name}>${inner})`),
  ),
}))

test('the results are those of re2js', () => {
  let compared = 0
  fc.assert(
    fc.property(pattern, text, (source, within) => {
      const expected = foundByRe2js(source, within)
      if (expected === undefined) return
      compared += expected.length
      expect(found(source, within)).toEqual(expected)
    }),
    { numRuns: tries(5_000) },
  )
  expect(compared).toBeGreaterThan(tries(500))
})

test.each([
  ['a(?:(.?.*){20}b)?', 'a '],
  ['#\\d+(?:.*closed)?', '#1 '],
  ['a(?: [a-z ]*done)?', 'a '],
  ['(?:|a)(?:|a)(?:|a)(?:|a)(?:|a)*!', 'a'],
  ['(?:a+)+b', 'a '],
  ['.*.*.*.*=', ' .'],
  ['(?:\\b|\\B|a)*é', 'a '],
])('%s takes time in proportion to the text', (source, unit) => {
  const steps = [1_000, 2_000].map((length) => stepsFor(source, unit.repeat(length).slice(0, length)))
  expect(steps[1]! / steps[0]!).toBeLessThan(2.1)
  expect(steps[1]).toBeLessThan(3 * 2_000 * compilePattern(source).size)
})

test('nothing is found once nothing may be spent', () => {
  const search = new PatternSearch(compilePattern('a'), 'a a', [0, 2], { steps: 0 })
  expect(search.next()).toBeUndefined()
})

test.each([
  'x{501}',
  '(?:(?:x{9}){8}){8}',
  'x{0,300}y{0,300}',
  '(?:ab){300}',
  '\\pL'.repeat(100),
  '()'.repeat(300),
])('too large: %s', (source) => {
  expect(() => compilePattern(source)).toThrow('expression too large')
})

test.each([
  'x{400}',
  '\\{600}',
  '[{600}]',
  '\\Q{600}\\E',
  '(?:x{9}){0,9}|y',
  '[]{900}]',
  '\\x{0061}{2}',
  '\\p{L}{20}',
])('not too large: %s', (source) => {
  expect(compilePattern(source).size).toBeGreaterThan(2)
})

type Found = { start: number; end: number; groups: Record<string, string> }

function found(source: string, within: string, budget = { steps: 1e9 }): Found[] {
  const search = new PatternSearch(compilePattern(source), within, placesIn(within), budget)
  const all: Found[] = []
  for (let match = search.next(); match; match = search.next())
    all.push({ ...match, groups: search.groups() })
  return all
}

function placesIn(within: string): number[] {
  return [0, ...[...within.matchAll(/[ \n,:]/g)].map(({ index }) => index + 1)]
}

function stepsFor(source: string, within: string): number {
  const budget = { steps: 1e9 }
  found(source, within, budget)
  return 1e9 - budget.steps
}

/** Undefined for what is no pattern, or matches nothing somewhere, which is not looked for. */
function foundByRe2js(source: string, within: string): Found[] | undefined {
  const whole = compiled(`(?:^|[ \\n,:])(?P<whole>${source})(?:$|[^\\pL\\pN])`)
  if (!whole) return undefined
  const matcher = whole.matcher(within)
  const all: Found[] = []
  for (let from = 0; from <= within.length && matcher.find(from); from = matcher.end('whole')) {
    const [start, end] = [matcher.start('whole'), matcher.end('whole')]
    if (start === end) return undefined
    const names = Object.keys(whole.namedGroups()).filter((name) => name !== 'whole')
    const groups = names.flatMap((name) => {
      const value = matcher.group(name)
      return value === null ? [] : [[name, value] as const]
    })
    all.push({ start, end, groups: Object.fromEntries(groups) })
  }
  return all
}

function compiled(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source)
  } catch {
    return undefined
  }
}
