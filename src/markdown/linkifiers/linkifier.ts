import { parseTemplate } from 'url-template'
import { memoizePer } from '../../lib/collections/memoize-per.ts'
import { hrefOf, noteAddress } from '../address.ts'
import { addressesIn } from '../inlines/autolink.ts'
import type { InlineRule } from '../inlines/inline-rule.ts'
import { markdownLimits } from '../limits.ts'
import type { Linkifier, Lookup } from '../lookup.ts'
import { element } from '../nodes.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import { type Budget, PatternSearch } from './pattern-search.ts'

/**
 * Turns matches of the organization's patterns between words into links, until the message's budget is spent. The rest
 * stays text.
 */
export const linkifier: InlineRule = {
  needs: [],
  apply(text, context) {
    const compiled = compiledOf(context.lookup)
    if (compiled.length === 0 || context.linkifying.steps < 0) return text
    let result = text
    let places = placesIn(text)
    for (const each of compiled) {
      let done = 0
      let next = ''
      for (const { start, end, url } of matchesOf(each, result, places, context.linkifying)) {
        const href = hrefOf(url, context.lookup)
        if (href === undefined) continue
        const written = context.written(result.slice(start, end))
        noteAddress(href, context)
        next += result.slice(done, start) + context.keep(element('a', { href }, written), written)
        done = end
      }
      if (done === 0) continue
      result = next + result.slice(done)
      places = placesIn(result)
    }
    return result
  },
}

type TopicLink = { text: string; url: string }

/** Returns the links in a topic: matches of linkifiers, then bare addresses elsewhere; in order of appearance. */
export function topicLinks(topic: string, lookup: Lookup): TopicLink[] {
  const taken = linkified(topic, lookup)
  for (const { start, text } of addressesIn(topic)) {
    if (text.includes('@') && !text.includes('://')) continue
    const url = hrefOf(text, {})
    if (url !== undefined) addApart(taken, { text, url, start, end: start + text.length })
  }
  return inOrder(taken)
}

/** Returns the links that linkifiers make in a short text, in order of appearance. */
export function linkifierLinks(text: string, lookup: Lookup): TopicLink[] {
  return inOrder(linkified(text, lookup))
}

type PlacedLink = TopicLink & { start: number; end: number }

function linkified(text: string, lookup: Lookup): PlacedLink[] {
  const taken: PlacedLink[] = []
  const budget = { steps: markdownLimits.linkifyingTopic }
  const places = placesIn(text)
  for (const each of compiledOf(lookup)) {
    for (const { start, end, url } of matchesOf(each, text, places, budget)) {
      if (hrefOf(url, lookup) !== undefined)
        addApart(taken, { text: text.slice(start, end), url, start, end })
    }
  }
  return taken
}

function addApart(taken: PlacedLink[], link: PlacedLink) {
  if (taken.every(({ start, end }) => link.end <= start || link.start >= end)) taken.push(link)
}

function inOrder(links: PlacedLink[]): TopicLink[] {
  return links.sort((a, b) => a.start - b.start).map(({ text, url }) => ({ text, url }))
}

/** Returns the positions at which a match may begin: after a space, a quote or the like. */
function placesIn(text: string): number[] {
  const places = [0]
  for (let index = 0; index < text.length; index++) {
    if (opening[text.charCodeAt(index)] === 1) places.push(index + 1)
  }
  return places
}

const opening = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(' \n\t\f\r\'"(,:<'.includes(String.fromCharCode(code))),
)

type Match = { start: number; end: number; url: string }

function* matchesOf(
  { pattern, template }: Compiled,
  text: string,
  places: readonly number[],
  budget: Budget,
): Generator<Match> {
  if (budget.steps < 0) return
  const search = new PatternSearch(pattern, text, places, budget)
  for (let match = search.next(); match; match = search.next()) {
    const groups = search.groups()
    budget.steps -= template.cost(groups)
    if (budget.steps < 0) return
    yield { ...match, url: template.expand(groups) }
  }
}

type Groups = Record<string, string>
type Template = { expand: (groups: Groups) => string; cost: (groups: Groups) => number }
type Compiled = { pattern: Pattern; template: Template }

/** Returns the organization's compiled linkifiers, without those that fail to compile. */
function compiledOf({ linkifiers }: Lookup): Compiled[] {
  return linkifiers ? compiled(linkifiers) : []
}

const compiled = memoizePer((linkifiers: readonly Linkifier[]) =>
  linkifiers.slice(0, markdownLimits.linkifiers).flatMap(compile),
)

function compile({ pattern, url_template }: Linkifier): Compiled[] {
  try {
    return [{ pattern: compilePattern(pattern), template: templateOf(url_template) }]
  } catch {
    return []
  }
}

/** Parses a template. `cost`: the steps that count for a link, as its address is written character by character. */
function templateOf(source: string): Template {
  const variables = source.match(/[{,]/g)?.length ?? 0
  return {
    expand: parseTemplate(source).expand,
    cost(groups) {
      const values = Object.values(groups)
      const longest = Math.max(0, ...values.map(({ length }) => length))
      return 1_000 + 50 * (values.length + variables) + 10 * (source.length + variables * longest)
    },
  }
}
