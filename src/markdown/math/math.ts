import katex, { type KatexOptions } from 'katex'
import { silently } from '../../lib/silently.ts'
import type { Context } from '../context.ts'
import { matching } from '../inlines/inline-rule.ts'
import { markdownLimits } from '../limits.ts'
import { element, type Node } from '../nodes.ts'
import { type Extent, extentOf } from './formula-extent.ts'

/** `$$x^2$$` within a line, not next to a letter or a digit. */
export const formula = matching(
  ['$$'],
  /(?<![\p{L}\p{N}_$])\$\$([^\n_$](?:\\\$|[^\n$])*)\$\$(?![\p{L}\p{N}_$])/gu,
  ([written, body], context) => {
    const tex = context.written(body!)
    return (
      setFormula(tex, false, context) ?? element('span', { class: 'tex-error' }, context.written(written))
    )
  },
)

/** Returns a block of formulas, which blank lines separate. */
export function formulaBlock(text: string, context: Context): Node[] {
  return text
    .split('\n\n')
    .filter((tex) => tex.trim() !== '')
    .flatMap((tex) => [
      element('p', {}, setFormula(tex, true, context) ?? element('span', { class: 'tex-error' }, tex)),
      '\n',
    ])
    .slice(0, -1)
}

/**
 * Returns undefined for TeX that KaTeX does not know, that is too long, or that would be drawn over the text around.
 */
function setFormula(tex: string, displayMode: boolean, context: Context): Node | undefined {
  context.formulas += tex.length + markdownLimits.perFormula
  if (context.formulas > markdownLimits.formulas) return undefined
  try {
    return silently(() => {
      if (!staysInside(tex, displayMode, context.formulaExtent)) return undefined
      const html = katex.renderToString(tex, { displayMode, ...options })
      return html.length > markdownLimits.formulaHtml ? undefined : { html, text: tex }
    })
  } catch {
    return undefined
  }
}

function staysInside(tex: string, displayMode: boolean, all: Extent): boolean {
  const { outside, lengths } = extentOf(parse(tex, { displayMode, ...options }))
  all.outside += outside
  all.lengths += lengths
  return (
    outside <= markdownLimits.formulaOutside &&
    all.outside <= markdownLimits.formulasOutside &&
    all.lengths <= markdownLimits.formulaLengths
  )
}

/** Not a public part of KaTeX, so its version is fixed, and a test checks its result. */
const { __parse: parse } = katex as unknown as { __parse(tex: string, options: KatexOptions): unknown }

/** `trust: false` is what keeps `\href`, `\includegraphics` and `\html…` out. */
const options = {
  throwOnError: true,
  strict: false,
  trust: false,
  maxSize: markdownLimits.formulaLength,
  maxExpand: 200,
} as const
