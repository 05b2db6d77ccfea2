import type { Steps } from './highlight/matcher.ts'
import type { Mention } from './inlines/mention.ts'
import { markdownLimits } from './limits.ts'
import type { Budget } from './linkifiers/pattern-search.ts'
import type { Lookup } from './lookup.ts'
import type { Extent } from './math/formula-extent.ts'
import type { Node } from './nodes.ts'
import { placeholderMarks } from './placeholder-marks.ts'

/**
 * The state of one rendering. A rule that finds its syntax in a text keeps the node and leaves a placeholder, so that
 * later rules see the surrounding text, and treat the node as one opaque character.
 */
export class Context {
  readonly lookup: Lookup
  /** In order of appearance, silent ones too. */
  readonly mentions: Mention[] = []
  /** Addresses of links that users wrote, in order of appearance. */
  readonly addresses: string[] = []
  /** How many block quotes are around what is being rendered. */
  quotes = 0
  /** How much formula text has been tried, in characters. */
  formulas = 0
  /** How far formulas draw over the text around them, and how long their lengths are together, in em. */
  readonly formulaExtent: Extent = { outside: 0, lengths: 0 }
  /** The remaining budget for highlighting code. */
  readonly highlighting: Steps = { left: markdownLimits.highlighting }
  /** The remaining budget for linkifiers. */
  readonly linkifying: Budget = { steps: markdownLimits.linkifying }
  readonly #nodes: Node[] = []
  readonly #sources: string[] = []

  constructor(lookup: Lookup) {
    this.lookup = lookup
  }

  /** Returns a placeholder for a node; `source` is its Markdown. */
  keep(node: Node, source: string): string {
    this.#sources.push(source)
    return `${open}${String.fromCodePoint(firstPlaceholder + this.#nodes.push(node) - 1)}${close}`
  }

  /** Returns the text as it was written, for rules that accept no markup in their matches. */
  written(text: string): string {
    if (!text.includes(open)) return text
    return text.replace(placeholder, (_, character: string) =>
      this.written(this.#sources[indexOf(character)]!),
    )
  }

  /** Returns the node if a text consists of a single one. */
  only(text: string): Node | undefined {
    return text.length === 4 && text[0] === open ? this.#nodes[indexOf(text.slice(1, 3))] : undefined
  }

  /** Text between nodes; newlines become line breaks. */
  nodes(text: string): Node[] {
    if (!text.includes(open)) return brokenLines(text)
    return text
      .split(placeholder)
      .flatMap((part, index) => (index % 2 === 0 ? brokenLines(part) : this.#nodes[indexOf(part)]!))
  }
}

const { open, close } = placeholderMarks
/** Private characters: no rule takes them for letters, digits, space or punctuation. There are 65,000 of them. */
const firstPlaceholder = 0xf0000
const placeholder = /\u0002(..)\u0003/g

function indexOf(character: string): number {
  return character.codePointAt(0)! - firstPlaceholder
}

/** Returns a text with newlines as line breaks. */
export function brokenLines(text: string): Node[] {
  if (text === '') return []
  if (!text.includes('\n')) return [text]
  const lines = text.split('\n')
  return lines.flatMap((line, index): Node[] => {
    const rest = index < lines.length - 1 ? [{ tag: 'br', attributes: {}, children: [] }, '\n'] : []
    return line === '' ? rest : [line, ...rest]
  })
}
