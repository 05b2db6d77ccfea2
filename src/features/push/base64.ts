/** How many bytes a text in standard base64 (RFC 4648, with its padding) stands for; undefined if it is none. */
export function bytesIn(text: string): number | undefined {
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
  return isBase64 ? Buffer.byteLength(text, 'base64') : undefined
}
