/** The number of leading bytes that determine the type of a file. */
export const headLength = 4100

/** Returns the type of a file by its first bytes. The name and type from the uploader are ignored. */
export async function contentTypeOf(head: Buffer): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  // The library knows no type for a malformed file.
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  if (found) return found.mime
  return isText(head) ? 'text/plain' : 'application/octet-stream'
}

/** Types that browsers may show inline. None of them runs code. HTML, SVG and XML might, so they are not included. */
const shown =
  /^(audio\/[\w.+-]+|image\/(png|apng|jpeg|gif|webp|avif|bmp|tiff|heic|heif)|video\/(mp4|webm|ogg|quicktime|x-m4v)|application\/pdf|text\/plain)$/

export function isShown(contentType: string): boolean {
  return shown.test(contentType)
}

export function isPictureOrVideo(contentType: string): boolean {
  return /^(image|video)\//.test(contentType) && isShown(contentType)
}

/** Returns whether the bytes are UTF-8 without characters that no text contains. The last character may be cut off. */
function isText(head: Buffer): boolean {
  if (head.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}
