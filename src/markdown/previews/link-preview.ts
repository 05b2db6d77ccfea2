import { isImageAddress, isVideoAddress } from '../address.ts'
import type { Context } from '../context.ts'
import { markdownLimits } from '../limits.ts'
import type { LinkPreview, Lookup } from '../lookup.ts'
import { type Element, element, type Node, toHtml } from '../nodes.ts'
import { linksIn } from './preview.ts'
import { youtubeVideo } from './youtube.ts'

/** Separates previews of pages from the text above them, whose own HTML cannot contain this. */
export const linkPreviewStart = '\n<div class="message_embed">'

/**
 * Returns the addresses of the pages whose previews a message shows: the first few that it links to outside of quotes and
 * spoilers, pictures, videos and the organization's own pages aside. None if the organization shows no previews.
 */
export function pagesIn(blocks: Node[], { lookup, addresses }: Context): string[] {
  if (!lookup.linkPreview || addresses.length === 0) return []
  const addressed = linksIn(blocks, isQuoteOrSpoiler).flatMap(({ attributes }) => attributes.href ?? [])
  const pages = addressed.filter((address) => isPage(address, lookup.realmUrl))
  return [...new Set(pages)].slice(0, markdownLimits.linkPreviews)
}

function isQuoteOrSpoiler({ tag, attributes }: Element): boolean {
  return tag === 'blockquote' || attributes.class === 'spoiler-block'
}

function isPage(address: string, realmUrl: string | undefined): boolean {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return false
  const { origin, username, password } = new URL(address)
  // A name and password in an address are for its reader alone.
  if (username || password || (realmUrl !== undefined && origin === new URL(realmUrl).origin)) return false
  return !isImageAddress(address) && !isVideoAddress(address) && !youtubeVideo(address)
}

/**
 * Returns the HTML of a message with those previews that are known by now, in place of any that it had. HTML that would be
 * too long with them gets none.
 */
export function withLinkPreviews(html: string, pages: readonly string[], lookup: Lookup): string {
  const text = withoutLinkPreviews(html)
  const previews = pages.flatMap((address) => {
    const preview = lookup.linkPreview?.(address)
    return preview ? ['\n', embed(address, preview, lookup)] : []
  })
  const whole = text + toHtml(previews)
  return whole.length > markdownLimits.html ? text : whole
}

/** Returns the HTML of a message without the previews of pages. */
export function withoutLinkPreviews(html: string): string {
  const at = html.indexOf(linkPreviewStart)
  return at === -1 ? html : html.slice(0, at)
}

/** The form that Zulip's clients know: a link with the picture as its background, then title and description. */
function embed(address: string, { title, description, picture }: LinkPreview, lookup: Lookup): Node {
  const link = element('a', { href: address, title }, title)
  return element(
    'div',
    { class: 'message_embed' },
    ...pictureOf(address, picture, lookup),
    element(
      'div',
      { class: 'data-container' },
      ...(title ? [element('div', { class: 'message_embed_title' }, link)] : []),
      ...(description ? [element('div', { class: 'message_embed_description' }, description)] : []),
    ),
  )
}

function pictureOf(address: string, picture: string | undefined, lookup: Lookup): Node[] {
  const { inlineImagePreview = true, externalContent } = lookup
  if (picture === undefined || !inlineImagePreview || !externalContent) return []
  const style = `background-image: url("${externalContent(picture)}")`
  // For keyboards and screen readers, the text has the same link.
  const hidden = { tabindex: '-1', 'aria-hidden': 'true' }
  return [element('a', { class: 'message_embed_image', href: address, style, ...hidden })]
}
