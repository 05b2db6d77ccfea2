import type { Readable } from 'node:stream'

/** Bytes `start` to `end`, both included. */
export type ByteRange = { start: number; end: number }

export type StoredFile = { size: number; content: Readable }

/** Content that has been received and not stored yet. Its holder keeps or discards it. */
export interface IncomingFile {
  readonly size: number
  /** Reads the content, or a range of it; any number of times. */
  read(range?: ByteRange): Readable
  /** Stores it, replacing a file of that path. Call it once. */
  keep(path: string): Promise<void>
  /** Removes it, unless it has been kept. */
  discard(): Promise<void>
}

/**
 * The store of uploaded files. A path consists of the organization's id, the kind of file, and a random name, divided
 * by slashes; it never comes from a user. A stored file is available to every node, and survives a crash.
 */
export interface FileStore {
  /**
   * Receives content, whole or not at all, without giving it a path yet: it comes over the network, and may be refused.
   */
  receive(content: Readable): Promise<IncomingFile>
  /** Stores a file, whole or not at all, replacing one of that path. Returns its size in bytes. */
  put(path: string, content: Readable | Buffer): Promise<number>
  /** Opens the file, or the range of it; `size` is that of the whole. Undefined if there is none. */
  open(path: string, range?: ByteRange): Promise<StoredFile | undefined>
  /** Removes the file if it is there. */
  remove(path: string): Promise<void>
  /** The paths that begin with this. */
  list(prefix: string): AsyncIterable<string>
  /** Throws if files cannot be stored now, as far as can be told without storing one. */
  check(): Promise<void>
  /** Removes content that was neither kept nor discarded and whose process has ended. */
  tidy(): Promise<void>
}
