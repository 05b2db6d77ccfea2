import MarkdownIt from 'markdown-it'
import { ApiError } from '../lib/api-error.ts'
import { code } from './code.ts'
import { emphasis } from './emphasis.ts'
import { type Facts, gatherFacts } from './facts.ts'
import { limits } from './limits.ts'
import { link } from './link.ts'
import { emptyLookup, type Lookup } from './lookup.ts'
import { mention } from './mention.ts'
import { nesting } from './nesting.ts'
import { table } from './table.ts'

export type { Facts } from './facts.ts'
export type { Lookup, Named } from './lookup.ts'

export type Rendered = { html: string; facts: Facts; version: number }

/** Rises whenever the same source may render differently than before. */
export const renderedVersion = 1

/** The source has no HTML that we would want to store. */
export class RenderError extends ApiError {
  constructor(cause?: unknown) {
    super('Unable to render message')
    this.cause = cause
  }
}

/**
 * Markdown of a message (at most 10,000 characters) to HTML, without a newline at the end, and what is to be known
 * of it. The HTML is safe to show: raw HTML in the source is text, and no address in it loads anything by itself.
 * Throws RenderError.
 */
export function render(source: string, lookup: Lookup): Rendered {
  const env = { lookup }
  const tokens = orRenderError(() => parser.parse(source, env))
  const html = orRenderError(() => parser.renderer.render(tokens, parser.options, env)).trimEnd()
  if (html.length > limits.html) throw new RenderError()
  return { html, facts: gatherFacts(source, tokens, lookup), version: renderedVersion }
}

/**
 * One line of Markdown, such as the description of a channel, to one `<p>`; nothing to nothing. Headings, lists and
 * the like are text, and nobody is mentioned. Throws RenderError.
 */
export function renderInline(source: string): string {
  const line = source.replace(/\s+/g, ' ').trim()
  if (line === '') return ''
  return `<p>${orRenderError(() => parser.renderInline(line, { lookup: emptyLookup }))}</p>`
}

const parser = new MarkdownIt({ html: false, linkify: true, breaks: true })
  .disable(['autolink', 'escape', 'html_block', 'html_inline', 'image', 'lheading', 'reference'])
  .use(nesting)
  .use(code)
  .use(emphasis)
  .use(table)
  .use(link)
  .use(mention)

function orRenderError<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new RenderError(error)
  }
}
