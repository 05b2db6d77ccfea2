import { RE2JS } from 're2js'
import { parseTemplate } from 'url-template'
import { hrefOf, noteAddress } from './address.ts'
import { addressesIn } from './autolink.ts'
import { limits } from './limits.ts'
import type { Linkifier, Lookup } from './lookup.ts'
import { element } from './nodes.ts'
import type { Rule } from './rule.ts'

/** What the organization's own patterns match between words becomes links. Patterns run in linear time. */
export const linkifier: Rule = {
  needs: [],
  apply(text, context) {
    let result = text
    for (const each of (context.lookup.linkifiers ?? []).slice(0, limits.linkifiers)) {
      let done = 0
      let next = ''
      for (const { start, end, url } of matchesOf(each, result)) {
        const href = hrefOf(url, context.lookup)
        if (href === undefined) continue
        const written = context.written(result.slice(start, end))
        noteAddress(href, context)
        next += result.slice(done, start) + context.keep(element('a', { href }, written), written)
        done = end
      }
      result = next + result.slice(done)
    }
    return result
  },
}

type TopicLink = { text: string; url: string }

/** Links in a topic: what linkifiers match, then bare addresses elsewhere; in order of appearance. */
export function topicLinks(topic: string, lookup: Lookup): TopicLink[] {
  const taken: (TopicLink & { start: number; end: number })[] = []
  const add = (link: TopicLink & { start: number; end: number }) => {
    if (taken.every(({ start, end }) => link.end <= start || link.start >= end)) taken.push(link)
  }
  for (const each of (lookup.linkifiers ?? []).slice(0, limits.linkifiers)) {
    for (const { start, end, url } of matchesOf(each, topic)) {
      if (hrefOf(url, lookup) !== undefined) add({ text: topic.slice(start, end), url, start, end })
    }
  }
  for (const { start, text } of addressesIn(topic)) {
    if (text.includes('@') && !text.includes('://')) continue
    const url = hrefOf(text, {})
    if (url !== undefined) add({ text, url, start, end: start + text.length })
  }
  return taken.sort((a, b) => a.start - b.start).map(({ text, url }) => ({ text, url }))
}

type Match = { start: number; end: number; url: string }
type Compiled = { pattern: RE2JS; groups: string[]; expand: (values: Record<string, string>) => string }

const compiled = new Map<string, Compiled | undefined>()
const compiledAtMost = 1_000

function* matchesOf(linkifier: Linkifier, text: string): Generator<Match> {
  const how = compile(linkifier)
  if (!how) return
  const matcher = how.pattern.matcher(text)
  let from = 0
  for (let count = 0; count < limits.linkifierMatches && from <= text.length && matcher.find(from); count++) {
    const [start, end] = [matcher.start('rookery_match'), matcher.end('rookery_match')]
    const values = how.groups.flatMap((group) => {
      const value = matcher.group(group)
      return value === null ? [] : [[group, value] as const]
    })
    yield { start, end, url: how.expand(Object.fromEntries(values)) }
    // What follows a match may also be what stands before the next one.
    from = end > start ? end : matcher.end() + 1
  }
}

/** A match stands after a space, a quote or the like, and before anything but a letter or a digit. */
function compile({ pattern, url_template }: Linkifier): Compiled | undefined {
  const key = `${pattern}\n${url_template}`
  if (compiled.has(key)) return compiled.get(key)
  if (compiled.size >= compiledAtMost) compiled.clear()
  const result = tryToCompile(pattern, url_template)
  compiled.set(key, result)
  return result
}

function tryToCompile(pattern: string, template: string): Compiled | undefined {
  try {
    const whole = RE2JS.compile(`(?:^|[\\s'"(,:<])(?P<rookery_match>${pattern})(?:$|[^\\pL\\pN])`)
    const groups = Object.keys(whole.namedGroups()).filter((group) => group !== 'rookery_match')
    const { expand } = parseTemplate(template)
    return { pattern: whole, groups, expand }
  } catch {
    return undefined
  }
}
