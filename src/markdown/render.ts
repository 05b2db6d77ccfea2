import { withFencedBlocks } from './blocks/fenced-blocks.ts'
import { linesOf } from './blocks/lines.ts'
import { brokenLines, Context } from './context.ts'
import { documentOf } from './document.ts'
import { type Facts, factsOf } from './facts.ts'
import { markdownLimits } from './limits.ts'
import type { Lookup } from './lookup.ts'
import { element, toHtml } from './nodes.ts'
import { pagesIn, withLinkPreviews } from './previews/link-preview.ts'
import { addPreviews } from './previews/preview.ts'

export type { Facts } from './facts.ts'
export { linkifierLinks, topicLinks } from './linkifiers/linkifier.ts'
export type { LinkPreview, Lookup, Mentionable, Picture } from './lookup.ts'
export { linkPreviewStart, withLinkPreviews, withoutLinkPreviews } from './previews/link-preview.ts'
export { isWaitingForThumbnail, withThumbnail } from './previews/thumbnail.ts'

export type Rendered = { html: string; facts: Facts; version: number }

/** Rises whenever the same source may render differently than before. */
export const renderedVersion = 4

/**
 * Renders the Markdown of a message (at most 10,000 characters) to HTML, without a newline at the end, and returns its
 * facts. The HTML is safe to show: raw HTML in the source is text, and the only addresses that load by themselves are
 * this server's. Every source has HTML: a result that would be too long, or empty, is shown as it was written.
 */
export function render(source: string, lookup: Lookup): Rendered {
  const wellFormed = source.toWellFormed()
  const context = new Context(lookup)
  const text = withFencedBlocks(linesOf(wellFormed), context).join('\n')
  const blocks = documentOf(`${text}\n\n`, context)
  const html = toHtml(addPreviews(blocks, context)).trim()
  const isAsWritten = html === '' || html.length > markdownLimits.html
  const pages = isAsWritten ? [] : pagesIn(blocks, context)
  return {
    html: isAsWritten ? asWritten(wellFormed) : withLinkPreviews(html, pages, lookup),
    facts: factsOf(wellFormed, text, pages, context),
    version: renderedVersion,
  }
}

/** Renders the description of a channel or a folder, as a message without previews; an empty one stays empty. */
export function renderDescription(source: string, lookup: Lookup): string {
  return render(source, { ...lookup, inlineImagePreview: false }).html
}

function asWritten(source: string): string {
  const text = source.trim()
  return text === '' ? '' : toHtml([element('p', {}, ...brokenLines(text))])
}
