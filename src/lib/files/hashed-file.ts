import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeDirectories } from './make-directories.ts'

/** A file's size, and the SHA-256 of its content in hexadecimal digits. */
export type Content = { bytes: number; sha256: string }

const zeros = Buffer.alloc(64 * 1024)

/**
 * Writes a file that only this user can read: whole or not at all, and on disk before this returns. Pieces of zeros become holes, which take no
 * space on the disk.
 */
export async function writeHashed(content: AsyncIterable<Buffer>, file: string): Promise<Content> {
  makeDirectories(dirname(file), 0o700)
  const unfinished = `${file}.unfinished`
  const hash = createHash('sha256')
  let bytes = 0
  try {
    const written = await open(unfinished, 'w', 0o600)
    try {
      for await (const piece of content) {
        hash.update(piece)
        if (!isEmpty(piece)) await writeAll(written, piece, bytes)
        bytes += piece.length
      }
      await written.truncate(bytes)
      await written.sync()
    } finally {
      await written.close()
    }
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Writes all bytes of a piece: one call may write fewer. */
async function writeAll(file: FileHandle, piece: Buffer, position: number) {
  for (let done = 0; done < piece.length; ) {
    done += (await file.write(piece, done, piece.length - done, position + done)).bytesWritten
  }
}

function isEmpty(piece: Buffer): boolean {
  for (let at = 0; at < piece.length; at += zeros.length) {
    const part = piece.subarray(at, at + zeros.length)
    if (!part.equals(zeros.subarray(0, part.length))) return false
  }
  return true
}

/** Returns the size and hash of a file; undefined if it does not exist. */
export async function hashFile(file: string): Promise<Content | undefined> {
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const piece of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
      hash.update(piece)
      bytes += piece.length
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  return { bytes, sha256: hash.digest('hex') }
}
