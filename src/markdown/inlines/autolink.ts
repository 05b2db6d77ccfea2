import { hrefOf, noteAddress } from '../address.ts'
import type { Context } from '../context.ts'
import { markdownLimits } from '../limits.ts'
import { element, type Node } from '../nodes.ts'
import type { InlineRule } from './inline-rule.ts'
import { topLevelDomains } from './top-level-domains.ts'

/**
 * Bare `https://…`, `example.com`, `me@example.com` and `bitcoin:…`. They begin a word or follow one of `'"(,:<`, and
 * end where the word does, but for punctuation; a word that goes on otherwise is no address.
 */
export const autolink: InlineRule = {
  needs: ['.', '://', 'bitcoin:'],
  apply(text, context) {
    let done = 0
    let result = ''
    for (const found of addressesIn(text)) {
      const written = context.written(found.text)
      const node = linkTo(written, context)
      if (!node) continue
      result += text.slice(done, found.start) + context.keep(node, written)
      done = found.start + found.text.length
    }
    return done === 0 ? text : result + text.slice(done)
  },
}

/** Bare addresses in a text, in order. */
export function addressesIn(text: string): { start: number; text: string }[] {
  const found: { start: number; text: string }[] = []
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    const address = mayHoldAddress(word) ? addressInWord(word) : undefined
    if (address) found.push({ start: index + address.start, text: address.text })
  }
  return found
}

/** A full stop at the end, as most have it, belongs to no address. */
function mayHoldAddress(word: string): boolean {
  const stop = word.indexOf('.')
  return (stop >= 0 && stop < word.length - 1) || word.includes('://') || word.includes('bitcoin:')
}

function linkTo(written: string, context: Context): Node | undefined {
  const href = hrefOf(written, context.lookup)
  if (href === undefined) return undefined
  noteAddress(href, context)
  return element('a', { href }, written)
}

const beginning = /(?<![^'"(,:<])(?=https?:\/\/|bitcoin:|[\p{L}\p{N}_.-]+[.@])/gu
const host = /https?:\/\/[\p{L}\p{N}_.:@-]+/uy
const domain = /(?:[\p{L}\p{N}_-]+\.)+([\p{L}\p{N}-]+)/uy
const mail = /[\p{L}\p{N}_.-]+@[\p{L}\p{N}_.-]+\.[\p{L}\p{N}_]+/uy
const bitcoin = /bitcoin:[13][a-km-zA-HJ-NP-Z1-9]{25,34}/y
const punctuation = `!:;?),.'">`

function addressInWord(word: string): { start: number; text: string } | undefined {
  let stop = word.length
  while (stop > 0 && punctuation.includes(word.charAt(stop - 1))) stop--
  let tried = 0
  for (const { index: start } of word.matchAll(beginning)) {
    if (start >= stop || ++tried > markdownLimits.addressTries) return undefined
    if (stop - start > markdownLimits.address) continue
    const end = endOfAddress(word, start, stop)
    if (end !== undefined) return { start, text: word.slice(start, end) }
  }
  return undefined
}

/** Returns the end of the shortest address from `start` after which the word has nothing but punctuation. */
function endOfAddress(word: string, start: number, stop: number): number | undefined {
  const hostEnd = matchEnd(host, word, start) ?? domainEnd(word, start)
  if (hostEnd !== undefined && hostEnd >= stop) return stop
  if (hostEnd !== undefined && word[hostEnd] === '/') {
    const end = endOfPath(word, hostEnd, stop)
    if (end !== undefined) return end
  }
  const whole = [matchEnd(mail, word, start), matchEnd(bitcoin, word, start)].find(
    (end) => end !== undefined && end >= stop,
  )
  return whole === undefined ? undefined : stop
}

function domainEnd(word: string, start: number): number | undefined {
  domain.lastIndex = start
  const match = domain.exec(word)
  return match && topLevelDomains.has(match[1] ?? '') ? domain.lastIndex : undefined
}

/** Parentheses belong to a path in pairs, at most seven deep; quotes never do. */
function endOfPath(word: string, start: number, stop: number): number | undefined {
  let depth = 0
  for (let position = start; position < word.length; position++) {
    if (position >= stop && depth === 0) return position
    const character = word[position]
    if (character === '"') return undefined
    if (character === '(' && ++depth > 7) return undefined
    if (character === ')' && --depth < 0) return undefined
  }
  return depth === 0 ? word.length : undefined
}

function matchEnd(pattern: RegExp, word: string, start: number): number | undefined {
  pattern.lastIndex = start
  return pattern.test(word) ? pattern.lastIndex : undefined
}
