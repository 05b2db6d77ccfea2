/** What is taken for a picture. Drawings (SVG) are not: they may refer to other files. */
export const pictureTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
])

/** What draws pictures. It is loaded with the first of them. */
export async function pictureLibrary() {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1) // threads for each picture
  sharp.cache(false) // no picture comes twice
  return sharp
}
