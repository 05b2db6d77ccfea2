/** How much of a file says what it is, in bytes. */
export const headLength = 4100

/** What a file is, by its first bytes; what its sender calls it counts for nothing. */
export async function contentTypeOf(head: Buffer): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  // What is only made to look like something is nothing it knows.
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  if (found) return found.mime
  return isText(head) ? 'text/plain' : 'application/octet-stream'
}

/** What browsers may show by themselves. None of it runs anything; HTML, SVG and XML, which might, are not among it. */
const shown =
  /^(audio\/[\w.+-]+|image\/(png|apng|jpeg|gif|webp|avif|bmp|tiff|heic|heif)|video\/(mp4|webm|ogg|quicktime|x-m4v)|application\/pdf|text\/plain)$/

export function isShown(contentType: string): boolean {
  return shown.test(contentType)
}

export function isPictureOrVideo(contentType: string): boolean {
  return /^(image|video)\//.test(contentType) && isShown(contentType)
}

/** Whether the bytes are UTF-8, without what no text has. The last character may be cut off. */
function isText(head: Buffer): boolean {
  if (head.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}
