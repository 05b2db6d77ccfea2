import { uploadPath } from '../address.ts'
import type { Picture } from '../lookup.ts'

/** The HTML of a picture whose thumbnail does not exist yet; preview.ts writes it. */
const waiting =
  /<div class="message_inline_image"><a href="([^"]*)"[^>]*><img class="image-loading-placeholder"([^>]*) src="[^"]*"><\/a><\/div>/g

/** Whether rendered HTML waits for the thumbnail of this upload. */
export function isWaitingForThumbnail(html: string, path: string): boolean {
  return [...html.matchAll(waiting)].some(([, href = '']) => pathOf(href) === path)
}

/**
 * The rendered HTML with the thumbnail of an upload where it waits for that, as `render` would show it by now. Without
 * a picture (none could be made of it) a link is left.
 */
export function withThumbnail(html: string, path: string, picture: Picture | undefined): string {
  const shown = html.replace(waiting, (whole, href: string, attributes: string) => {
    if (pathOf(href) !== path) return whole
    if (!picture) return ''
    return whole.replace(/<img [^>]*>/, () => `<img${attributes} src="${picture.thumbnail}">`)
  })
  if (shown.trim() !== '') return shown.trim()
  const [, href = ''] = html.match(new RegExp(waiting.source)) ?? []
  return `<p><a href="${href}">${href}</a></p>`
}

function pathOf(href: string) {
  return uploadPath(href.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}
