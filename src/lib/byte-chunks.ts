const chunkBytes = 65_536

/** Yields the bytes in chunks, without copying them, for a caller that may not need all of them. */
export function* byteChunks(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}
