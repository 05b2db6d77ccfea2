import type { Readable } from 'node:stream'

/** Bytes `start` to `end`, both included. */
export type ByteRange = { start: number; end: number }

export type StoredFile = { size: number; content: Readable }

/** Content that has come in and is not kept yet. Whoever holds it keeps it, or discards it. */
export interface IncomingFile {
  readonly size: number
  /** What has come, or a range of it; as often as one likes. */
  read(range?: ByteRange): Readable
  /** Stores it, in place of a file of that path. Once. */
  keep(path: string): Promise<void>
  /** Removes it, unless it has been kept. */
  discard(): Promise<void>
}

/**
 * Where uploaded files are. A path is made of the organization's id, what the file is, and a random name, divided by
 * slashes; it never comes from a user. What has been put is there for every node, and survives a crash.
 */
export interface FileStore {
  /** Takes content in, whole or not at all, without giving it a path yet: it comes over the network, and may be refused. */
  receive(content: Readable): Promise<IncomingFile>
  /** Stores a file, whole or not at all, in place of one of that path. Answers its size in bytes. */
  put(path: string, content: Readable | Buffer): Promise<number>
  /** The file, or the range of it; `size` is that of the whole. Undefined if there is none. */
  open(path: string, range?: ByteRange): Promise<StoredFile | undefined>
  /** Removes the file if it is there. */
  remove(path: string): Promise<void>
  /** The paths that begin with this. */
  list(prefix: string): AsyncIterable<string>
  /** Removes content that came in and was neither kept nor discarded, as the process that took it in is no more. */
  tidy(): Promise<void>
}
