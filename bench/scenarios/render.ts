import { emptyLookup, type Lookup } from '../../src/markdown/lookup.ts'
import { render } from '../../src/markdown/render.ts'
import type { Result } from '../bench.ts'
import { budgets } from '../budgets.ts'
import { bareWorkMs, besideBareWork, processorMs } from '../calibration.ts'
import { median, percentiles, ratio } from '../measure.ts'
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

/** The parts that hostile inputs repeat: openings that are never closed, and nested ones. */
const openings =
  '*|**|_|~~|`|``|```\n|~~~\n|[|![|[a](|](|<|>|> |- |1. |  - |#|@**|@*|@_**|#**|#**a>|:|:a|$$|$$\\sqrt{|<time:|http://|https://a.b/(|a@b.c |&|\\|x|\n|\u2060|aaaaab|xxxxxz|a |#1 |q '.split(
    '|',
  )
const length = 10_000
const hostileInputs = 300

/** The renderer by itself, on one core: how many chat messages a second, and how long the worst inputs take. */
export async function measureRender(seconds: number): Promise<Result> {
  const chat = measureChat(seconds)
  const micros = median(chat.micros)
  const bareMs = median(chat.bare)
  const inputs = hostile().map(bestOfThree)
  const hostileMs = percentiles(inputs.map(({ ms }) => ms))
  const worst = Math.max(...inputs.map(({ ms, bare }) => ms / bare))
  return {
    rows: [
      { what: 'chat messages (bench/texts.ts)', ...costOf(micros) },
      {
        what: `${hostileInputs} hostile inputs of ${length} characters`,
        ...hostileMs,
        ...costOf(1000 * hostileMs.p50),
      },
      { what: '  bare work (bench/calibration.ts)', ...costOf(1000 * bareMs) },
    ],
    findings: [
      {
        what: 'a chat message, of a thousandth of the bare work',
        ...ratio(chat.micros, chat.bare),
        budget: budgets.renderOfBare,
      },
      {
        what: 'the worst input, of the bare work',
        value: worst,
        unit: '×',
        budget: budgets.renderWorstOfBare,
      },
    ],
  }
}

function costOf(micros: number) {
  return { rate: 1e6 / micros, server: micros, postgres: 0 }
}

/** Microseconds of a message, and milliseconds of the bare work, slice after slice. */
function measureChat(seconds: number) {
  const slice = () => {
    const ms = processorMs(() => {
      for (let i = 0; i < 20; i++) for (const text of texts) render(text, lookup)
    })
    return (1000 * ms) / (20 * texts.length)
  }
  return besideBareWork(slice, seconds)
}

/** Each opening by itself, and pairs of them, taken evenly out of all. */
function hostile(): string[] {
  const pairs = openings.flatMap((one) => openings.map((other) => one + other))
  const step = pairs.length / (hostileInputs - openings.length)
  const some = Array.from({ length: hostileInputs - openings.length }, (_, i) => pairs[Math.floor(i * step)]!)
  return [...openings, ...some].map((piece) => piece.repeat(length).slice(0, length))
}

// The best of three of both: what else runs on the machine is not the renderer's.
function bestOfThree(text: string) {
  const best = (time: () => number) => Math.min(...[1, 2, 3].map(time))
  return { ms: best(() => processorMs(() => render(text, hostileLookup))), bare: best(bareWorkMs) }
}
