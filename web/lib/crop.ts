type Size = { width: number; height: number }

/**
 * Returns the part of a picture that is shown: as large as it fits at zoom 1, smaller with a larger zoom. `center` is where
 * its middle is wanted, as parts of the picture's size; it stays within the picture.
 */
export function cropOf(picture: Size, ratio: number, zoom: number, center: { x: number; y: number }) {
  const widest = Math.min(picture.width, picture.height * ratio)
  const width = widest / zoom
  const height = width / ratio
  // The picture stays in the middle of a larger part.
  const within = (value: number, most: number) => (most < 0 ? most / 2 : Math.max(0, Math.min(value, most)))
  return {
    x: within(center.x * picture.width - width / 2, picture.width - width),
    y: within(center.y * picture.height - height / 2, picture.height - height),
    width,
    height,
  }
}

/** The zoom at which all of a picture is shown, with space around it unless it has the ratio. */
export function zoomToFit(picture: Size, ratio: number): number {
  const widest = Math.min(picture.width, picture.height * ratio)
  return Math.min(widest / picture.width, widest / ratio / picture.height)
}
