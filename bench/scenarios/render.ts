import { emptyLookup, type Lookup } from '../../src/markdown/lookup.ts'
import { render } from '../../src/markdown/render.ts'
import type { Result } from '../bench.ts'
import { budgets } from '../budgets.ts'
import { percentiles } from '../measure.ts'
import { texts } from '../texts.ts'

const lookup: Lookup = {
  ...emptyLookup,
  userByName: (name) => (name.length % 2 === 0 ? { id: 7, name } : undefined),
  channelByName: (name) => ({ id: 9, name }),
  groupByName: (name) => ({ id: 5, name }),
  realmUrl: 'https://chat.example',
  linkifiers: linkifiers('(a+)+b', '(?P<p>(x|x)*y)', '(.*)*z', '#(?P<p>[0-9]+)'),
}

/** Patterns that look far ahead wherever they match, and such that try much and match nothing. */
const hostileLookup: Lookup = {
  ...lookup,
  linkifiers: linkifiers(
    ...['(a+)+b', '(?P<p>(x|x)*y)', '(.*)*z', '#(?P<p>[0-9]+)(?:.*closed)?', '(?P<p>a(?:(.?.*){20}b)?)'],
    ...Array.from({ length: 195 }, (_, index) => `q(?:.?.*){80}${index}`),
  ),
}

function linkifiers(...patterns: string[]) {
  return patterns.map((pattern) => ({ pattern, url_template: 'https://x.example/{p}' }))
}

/** What repeats in the hostile inputs: openings that are never closed, and what nests. */
const openings =
  '*|**|_|~~|`|``|```\n|~~~\n|[|![|[a](|](|<|>|> |- |1. |  - |#|@**|@*|@_**|#**|#**a>|:|:a|$$|$$\\sqrt{|<time:|http://|https://a.b/(|a@b.c |&|\\|x|\n|\u2060|aaaaab|xxxxxz|a |#1 |q '.split(
    '|',
  )
const length = 10_000
const hostileInputs = 300

/** The renderer by itself, on one core: how many chat messages a second, and how long the worst inputs take. */
export async function measureRender(seconds: number): Promise<Result> {
  const rate = messagesPerSecond(seconds)
  const times = hostile().map(bestOfThree)
  const worst = Math.max(...times)
  return {
    rows: [
      { what: `chat messages (bench/texts.ts)`, rate },
      { what: `${hostileInputs} hostile inputs of ${length} characters`, ...percentiles(times) },
    ],
    findings: [
      { what: 'chat messages', value: rate, unit: '/s', budget: budgets.renderRate },
      { what: 'the worst input', value: worst, unit: 'ms', budget: budgets.renderWorst },
    ],
  }
}

function messagesPerSecond(seconds: number) {
  for (let i = 0; i < 20; i++) for (const text of texts) render(text, lookup)
  let count = 0
  const start = performance.now()
  while (performance.now() - start < seconds * 1000) {
    for (const text of texts) render(text, lookup)
    count += texts.length
  }
  return (1000 * count) / (performance.now() - start)
}

/** Each opening by itself, and pairs of them, taken evenly out of all. */
function hostile(): string[] {
  const pairs = openings.flatMap((one) => openings.map((other) => one + other))
  const step = pairs.length / (hostileInputs - openings.length)
  const some = Array.from({ length: hostileInputs - openings.length }, (_, i) => pairs[Math.floor(i * step)]!)
  return [...openings, ...some].map((piece) => piece.repeat(length).slice(0, length))
}

// The best of three: what else runs on the machine is not the renderer's.
function bestOfThree(text: string) {
  return Math.min(...[1, 2, 3].map(() => timeOf(text)))
}

function timeOf(text: string) {
  const start = performance.now()
  render(text, hostileLookup)
  return performance.now() - start
}
