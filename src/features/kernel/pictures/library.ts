/** The accepted types of pictures. SVG is not accepted: it may refer to other files. */
export const pictureTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
])

/** Loads the picture library on first use. */
export async function pictureLibrary() {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1) // threads for each picture
  sharp.cache(false) // no picture comes twice
  return sharp
}
