const sliceSize = 65_536

/** Bytes bit by bit, without copying them, for whoever may not want them all. */
export function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += sliceSize) yield bytes.subarray(at, at + sliceSize)
}
