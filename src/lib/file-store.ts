import type { Readable } from 'node:stream'

/** Bytes `start` to `end`, both included. */
export type ByteRange = { start: number; end: number }

export type StoredFile = { size: number; content: Readable }

/**
 * Where uploaded files are. A path is made of the organization's id, what the file is, and a random name, divided by
 * slashes; it never comes from a user. What has been put is there for every node, and survives a crash.
 */
export interface FileStore {
  /** Stores a file, whole or not at all, in place of one of that path. Answers its size in bytes. */
  put(path: string, content: Readable | Buffer): Promise<number>
  /** The file, or the range of it; `size` is that of the whole. Undefined if there is none. */
  open(path: string, range?: ByteRange): Promise<StoredFile | undefined>
  /** Removes the file if it is there. */
  remove(path: string): Promise<void>
  /** The paths that begin with this. */
  list(prefix: string): AsyncIterable<string>
}
