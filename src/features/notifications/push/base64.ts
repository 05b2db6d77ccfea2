/** How many bytes a text in standard base64 (RFC 4648, with its padding) stands for; undefined if it is none. */
export function bytesIn(text: string): number | undefined {
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
  return isBase64 ? Buffer.byteLength(text, 'base64') : undefined
}

/**
 * Whether a text is base64 to a lenient reader, which passes over characters that are not in its alphabet (RFC 2045) and
 * reads no further than the padding. Apps have their Apple tokens from libraries that write them in several ways.
 */
export function isLenientBase64(text: string): boolean {
  const [digits, padding] = /^([^=]*)(=*)/.exec(text.replace(/[^A-Za-z0-9+/=]/g, ''))!.slice(1)
  const rest = digits!.length % 4
  return digits !== '' && rest !== 1 && (rest === 0 || rest + padding!.length >= 4)
}

/** The bytes of a text in base64 for addresses, with its padding or without. */
export function bytesOfBase64Url(text: string): Buffer | undefined {
  return /^[\w-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : undefined
}
