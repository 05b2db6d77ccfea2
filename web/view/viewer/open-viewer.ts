import { decodePath } from '../../../src/lib/text/decode-path.ts'
import { later } from '../parts/dialog.tsx'
import type { Picture } from './viewer.tsx'

const wanted = '.message_inline_image a, .message_inline_video a'

/** Opens the viewer at the picture to which a click went. Returns whether it did. */
export function openPicture(target: Element): boolean {
  const link = target.closest<HTMLAnchorElement>(wanted)
  const rows = link?.closest('.message-rows')
  if (!link || !rows) return false
  open([...rows.querySelectorAll<HTMLAnchorElement>(wanted)], link)
  return true
}

/** Opens the viewer at the first picture of a message. Returns whether it has any. */
export function openPicturesOf(messageId: number): boolean {
  const first = document.querySelector<HTMLAnchorElement>(`[data-id="${messageId}"] :is(${wanted})`)
  return first !== null && openPicture(first)
}

/** All pictures of the list that is shown, so that one can go through them. */
function open(links: HTMLAnchorElement[], at: HTMLAnchorElement) {
  const pictures = links.map(pictureOf)
  later(
    () => import('./viewer.tsx'),
    ({ Viewer }, close) => Viewer({ pictures, start: links.indexOf(at), close }),
  )
}

function pictureOf(link: HTMLAnchorElement): Picture {
  const image = link.querySelector('img')
  const isVideo = link.closest('.message_inline_video') !== null
  const name = link.title || image?.title || decodePath(link.pathname.split('/').at(-1) ?? '')
  // Pictures of other servers come through this one, in the address of the image.
  const isOwn = link.origin === location.origin
  const source = isVideo || isOwn ? link.href : (image?.src ?? link.href)
  return { source, original: link.href, name, isVideo }
}
