import { ApiError } from '../lib/api-error.ts'
import { Context, withoutPlaceholders } from './context.ts'
import { documentOf } from './document.ts'
import { type Facts, factsOf } from './facts.ts'
import { resolveFences } from './fences.ts'
import { inline } from './inline.ts'
import { limits } from './limits.ts'
import { linesOf } from './lines.ts'
import { emptyLookup, type Lookup } from './lookup.ts'
import { toHtml } from './nodes.ts'
import { addPreviews } from './preview.ts'

export type { Facts } from './facts.ts'
export { topicLinks } from './linkifier.ts'
export type { Lookup, Mentionable, Picture } from './lookup.ts'
export { isWaitingForThumbnail, withThumbnail } from './thumbnail.ts'

export type Rendered = { html: string; facts: Facts; version: number }

/** Rises whenever the same source may render differently than before. */
export const renderedVersion = 3

/** The source has no HTML that we would want to store. */
export class RenderError extends ApiError {
  constructor(cause?: unknown) {
    super('Unable to render message')
    this.cause = cause
  }
}

/**
 * Markdown of a message (at most 10,000 characters) to HTML, without a newline at the end, and what is to be known
 * of it. The HTML is safe to show: raw HTML in the source is text, and the only addresses that load by themselves are
 * this server's. Throws RenderError.
 */
export function render(source: string, lookup: Lookup): Rendered {
  return orRenderError(() => {
    const context = new Context(lookup)
    const text = resolveFences(linesOf(source), context).join('\n')
    const nodes = addPreviews(documentOf(`${text}\n\n`, context), context)
    const html = toHtml(nodes).trim()
    if (html.length > limits.html) throw new RenderError()
    return { html, facts: factsOf(source, text, context), version: renderedVersion }
  })
}

/**
 * One line of Markdown, such as the description of a channel, to one `<p>`; nothing to nothing. Headings, lists and
 * the like are text, and nobody is mentioned. Throws RenderError.
 */
export function renderInline(source: string, lookup: Lookup = emptyLookup): string {
  const line = withoutPlaceholders(source).replace(/\s+/g, ' ').trim()
  if (line === '') return ''
  return orRenderError(() => `<p>${toHtml(inline(line, new Context(lookup)))}</p>`)
}

function orRenderError<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof RenderError ? error : new RenderError(error)
  }
}
