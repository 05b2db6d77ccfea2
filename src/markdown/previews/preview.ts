import { firstIn, must } from '../../lib/must.ts'
import { isImageAddress, isVideoAddress, uploadPath } from '../address.ts'
import type { Context } from '../context.ts'
import { markdownLimits } from '../limits.ts'
import { type Element, element, isElement, type Node, textOf } from '../nodes.ts'
import { youtubeVideo } from './youtube.ts'

/**
 * Pictures and videos that the message links to, below the paragraphs with the links. A paragraph of nothing but such
 * an address gives way to its preview. A target of several links is shown once, and quotes show nothing.
 */
export function addPreviews(blocks: Node[], context: Context): Node[] {
  if (context.lookup.inlineImagePreview === false || context.addresses.length === 0) return blocks
  const wanted = new Map<Element, Preview>()
  const seen = new Set<string>()
  for (const link of linksIn(blocks)) {
    const href = must(link.attributes.href, 'address of the link')
    const preview = seen.has(href) ? undefined : previewOf(href, titleOf(link), context)
    seen.add(href)
    if (preview) wanted.set(link, preview)
  }
  return wanted.size === 0 || wanted.size > markdownLimits.previews
    ? blocks
    : withPlacedPreviews(blocks, wanted)
}

/** `replaces`: whether the link may go if it is all there is. */
type Preview = { node: Element; replaces: boolean }

/** Links that people wrote, outside of elements that hide them: quotes, unless said otherwise. */
export function linksIn(nodes: Node[], isHiding = isQuote): Element[] {
  return nodes.filter(isElement).flatMap((node) => {
    if (node.tag === 'a') return node.attributes.class === undefined && node.attributes.href ? [node] : []
    return isHiding(node) ? [] : linksIn(node.children, isHiding)
  })
}

function isQuote({ tag }: Element): boolean {
  return tag === 'blockquote'
}

function titleOf(link: Element): string | undefined {
  const text = textOf(link.children)
  return text === link.attributes.href ? undefined : text
}

function previewOf(href: string, title: string | undefined, context: Context): Preview | undefined {
  const { lookup } = context
  const path = uploadPath(href, lookup.realmUrl)
  const replaces = title === undefined
  if (path === undefined && !/^https?:\/\//.test(href)) return undefined
  if (isVideoAddress(href)) {
    const src = path === undefined ? lookup.externalContent?.(href) : fromRoot(href)
    return src === undefined
      ? undefined
      : { node: frame(href, title, video(src), ' message_inline_video'), replaces }
  }
  if (isImageAddress(href)) {
    const picture = path === undefined ? external(href, context) : upload(path, context)
    return picture && { node: frame(href, title, picture), replaces }
  }
  const youtube = youtubeVideo(href)
  const still = youtube && external(youtube.picture, context)
  if (!still) return undefined
  const link = element('a', { 'data-id': youtube.id, href, ...(title ? { title } : {}) }, still)
  return { node: element('div', { class: 'youtube-video message_inline_image' }, link), replaces: false }
}

function frame(href: string, title: string | undefined, shown: Element, more = ''): Element {
  const link = element('a', title ? { href, title } : { href }, shown)
  return element('div', { class: `message_inline_image${more}` }, link)
}

function video(src: string): Element {
  return element('video', { preload: 'metadata', src })
}

function external(address: string, { lookup }: Context): Element | undefined {
  const src = lookup.externalContent?.(address)
  return src === undefined ? undefined : element('img', { src })
}

/** Until there is a thumbnail, clients show a placeholder of its size. */
function upload(path: string, { lookup }: Context): Element | undefined {
  const picture = lookup.picture?.(path)
  if (!picture) return undefined
  const attributes = {
    ...(picture.animated ? { 'data-animated': 'true' } : {}),
    'data-original-content-type': picture.contentType,
    'data-original-dimensions': `${picture.width}x${picture.height}`,
  }
  return picture.thumbnail === undefined
    ? element('img', {
        class: 'image-loading-placeholder',
        ...attributes,
        src: '/static/images/loading/loader-black.svg',
      })
    : element('img', { ...attributes, src: picture.thumbnail })
}

function fromRoot(address: string): string {
  return address.startsWith('user_uploads/') ? `/${address}` : address
}

/** Previews go after the paragraph with their links, or to the end of the list item that holds them. */
function withPlacedPreviews(nodes: Node[], wanted: ReadonlyMap<Element, Preview>): Node[] {
  return nodes.flatMap((node) => {
    if (!isElement(node) || node.tag === 'blockquote') return [node]
    const own = linksIn([node]).flatMap((link) => wanted.get(link) ?? [])
    if (own.length === 0) return [node]
    if (node.tag === 'li' && !node.children.some((child) => isElement(child) && child.tag === 'p')) {
      return [{ ...node, children: withPreviews(node.children, wanted) }]
    }
    if (!['p', 'table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'].includes(node.tag)) {
      return [{ ...node, children: withPlacedPreviews(node.children, wanted) }]
    }
    const only = node.tag === 'p' && node.children.length === 1 && firstIn(own).replaces
    return only ? own.map((one) => one.node) : [node, '\n', ...own.map((one) => one.node)]
  })
}

/** The content of a tight list item: its own links' previews at the end, those of lists within it within them. */
function withPreviews(children: Node[], wanted: ReadonlyMap<Element, Preview>): Node[] {
  const isList = (node: Node) => isElement(node) && (node.tag === 'ul' || node.tag === 'ol')
  const text = children.filter((node) => !isList(node))
  const own = linksIn(text).flatMap((link) => wanted.get(link) ?? [])
  const inner = children.flatMap((node) => (isList(node) ? withPlacedPreviews([node], wanted) : [node]))
  if (own.length === 0) return inner
  const first = firstIn(inner)
  const only =
    firstIn(own).replaces &&
    isElement(first) &&
    wanted.has(first) &&
    inner.slice(1).every((node) => (isElement(node) && node.tag !== 'a') || node === '\n')
  return [...(only ? inner.slice(1) : inner), ...own.map((one) => one.node)]
}
