/** The pattern of a text in standard base64. */
export const base64Pattern = '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$'

/**
 * Returns the number of bytes that a text in standard base64 (RFC 4648, with padding) encodes, or undefined if it is
 * not base64.
 */
export function bytesIn(text: string): number | undefined {
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
  return isBase64 ? Buffer.byteLength(text, 'base64') : undefined
}

/**
 * Returns whether a lenient reader accepts a text as base64. Such a reader skips characters outside its alphabet (RFC
 * 2045) and stops at the padding. Apps get their Apple tokens from libraries with several formats.
 */
export function isLenientBase64(text: string): boolean {
  const [, digits = '', padding = ''] = /^([^=]*)(=*)/.exec(text.replace(/[^A-Za-z0-9+/=]/g, '')) ?? []
  const rest = digits.length % 4
  return digits !== '' && rest !== 1 && (rest === 0 || rest + padding.length >= 4)
}

/** Decodes base64url, with or without padding. */
export function bytesOfBase64Url(text: string): Buffer | undefined {
  return /^[\w-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : undefined
}
