import { hrefOf, isAudioAddress, noteAddress, uploadPath } from '../address.ts'
import type { Context } from '../context.ts'
import { markdownLimits } from '../limits.ts'
import { element, type Node } from '../nodes.ts'
import { entity } from './entity.ts'
import type { InlineRule } from './inline-rule.ts'

/**
 * `[text](address)` and `[text](address "title")`. Of markup, the text may have code, mentions, formulas and the like,
 * and entities: in these, clients write what would otherwise be markup, as in the names of topics.
 * An address that may not be linked to leaves all as it was written; so does an exclamation mark before it.
 */
export const link: InlineRule = {
  needs: ['['],
  apply(text, context) {
    if (!text.includes('](')) return text
    const closing = closingBrackets(text)
    let result = ''
    let done = 0
    for (let start = text.indexOf('['); start >= 0; start = text.indexOf('[', start)) {
      const close = text[start - 1] === '!' ? undefined : closing.get(start)
      const target = close === undefined ? undefined : targetAt(text, close + 1, context)
      const node = target && linkTo(target, text.slice(start + 1, close), context)
      if (!node) {
        start++
        continue
      }
      result += text.slice(done, start) + context.keep(node, text.slice(start, target.end))
      done = target.end
      start = done
    }
    return result + text.slice(done)
  },
}

type Target = { address: string; title?: string; end: number }

function linkTo(target: Target, label: string, context: Context): Node | undefined {
  const href = hrefOf(context.written(target.address), context.lookup)
  if (href === undefined) return undefined
  noteAddress(href, context)
  if (isAudioAddress(href) && uploadPath(href, context.lookup.realmUrl) !== undefined)
    return audio(href, label, context)
  const children =
    label.trim() === '' ? [href] : context.nodes(entity.apply(label, context, (text) => [text]))
  return element('a', target.title === undefined ? { href } : { href, title: target.title }, ...children)
}

/** An uploaded recording is played in place (level 405). */
function audio(href: string, label: string, context: Context): Node {
  const src = href.startsWith('/') ? href : `/${href}`
  const title = context.written(label).trim() || src
  return element('audio', { controls: 'controls', preload: 'metadata', src, title })
}

/**
 * Returns the positions of the closing brackets, by those of the brackets that open a link's text: each is visited
 * once, however deep they nest.
 */
function closingBrackets(text: string): Map<number, number> {
  const closing = new Map<number, number>()
  const open: number[] = []
  for (let position = 0; position < text.length; position++) {
    if (text[position] === '[') open.push(position)
    else if (text[position] === ']') {
      const start = open.pop()
      if (start !== undefined && text[position + 1] === '(' && position - start < markdownLimits.address)
        closing.set(start, position)
    }
  }
  return closing
}

/** Reads the target in the parentheses that open at a position. */
function targetAt(text: string, position: number, context: Context): Target | undefined {
  const rest = text.slice(position, position + markdownLimits.address)
  const angled = /^\(\s*<([^<>]*)>\s*(?:(?:'([^']*)'|"([^"]*)")\s*)?\)/.exec(rest)
  if (angled)
    return withTitle((angled[1] ?? '').trim(), angled[2] ?? angled[3], position + angled[0].length, context)
  const end = closingParenthesis(rest)
  if (end === undefined) return undefined
  const inner = rest.slice(1, end).trim()
  const quote = inner.slice(-1)
  const title = quote === '"' || quote === "'" ? inner.indexOf(quote) : -1
  return title < 0 || title === inner.length - 1
    ? withTitle(inner, undefined, position + end + 1, context)
    : withTitle(inner.slice(0, title).trim(), inner.slice(title + 1, -1), position + end + 1, context)
}

function withTitle(address: string, title: string | undefined, end: number, context: Context): Target {
  return title === undefined
    ? { address, end }
    : { address, title: context.written(title).trim().replace(/\s+/g, ' '), end }
}

/** Parentheses count, except within a quoted title at the end; where that leads nowhere, also there. */
function closingParenthesis(text: string): number | undefined {
  let depth = 0
  let quote = ''
  let last = ''
  for (let position = 0; position < text.length; position++) {
    const character = text.charAt(position)
    if (character === ')' && quote !== '' && last === quote) return position
    if (quote === '' && character === '(' && ++depth > markdownLimits.addressParentheses) return undefined
    if (quote === '' && character === ')' && --depth === 0) return position
    if (quote === '' && (character === '"' || character === "'")) quote = character
    else if (character !== ' ' && character !== '\n') last = character
  }
  return quote === '' ? undefined : balancedParenthesis(text)
}

function balancedParenthesis(text: string): number | undefined {
  let depth = 0
  for (let position = 0; position < text.length; position++) {
    if (text[position] === '(' && ++depth > markdownLimits.addressParentheses) return undefined
    if (text[position] === ')' && --depth === 0) return position
  }
  return undefined
}
