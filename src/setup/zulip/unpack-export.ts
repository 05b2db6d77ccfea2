import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { codeOf, messageOf } from '../../lib/errors.ts'
import { makeDirectories } from '../../lib/files/make-directories.ts'
import { zulipLimits } from './limits.ts'

type Entry = Readable & { header: { name: string; type?: string; size?: number } }

/** The files of an export that an import reads, below its folder. */
const wanted = /^(realm\.json|attachment\.json|messages-\d+\.json|(uploads|avatars|emoji|realm_icons)\/.+)$/

/** Unpacks the .tar.gz file of an export into an empty directory. Throws an error of one sentence if it is none, or harmful. */
export async function unpackExport(file: string, directory: string): Promise<void> {
  await checkIsGzip(file)
  const { default: tar } = await import('tar-stream')
  const extract = tar.extract()
  let broken: unknown
  const passing = pipeline(createReadStream(file), createGunzip(), extract).catch((error) => {
    broken = error
  })
  try {
    // The type declarations omit that each entry has a header.
    await unpackAll(extract as unknown as AsyncIterable<Entry>, directory)
    await passing
    if (broken) throw broken
  } catch (error) {
    extract.destroy()
    await passing
    if (error === broken) throw new Error(`The export cannot be read: ${messageOf(error)}.`, { cause: error })
    throw error
  }
}

async function checkIsGzip(file: string) {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    if (buffer.readUInt16BE() === 0x1f8b) return
    throw new Error('This is no export of Zulip: it is neither a .tar.gz file nor a folder.')
  } finally {
    await handle.close()
  }
}

async function unpackAll(entries: AsyncIterable<Entry>, directory: string) {
  let count = 0
  for await (const entry of entries) {
    const { name, type = 'file' } = entry.header
    count += 1
    if (count > zulipLimits.exportFiles)
      throw new Error(`The export has more than ${zulipLimits.exportFiles} files.`)
    const path = pathIn(name, type)
    if (path === undefined) entry.resume()
    else await unpackEntry(entry, join(directory, path))
  }
}

/** Returns where an entry belongs in the export's folder; undefined if it is not read. */
function pathIn(name: string, type: string): string | undefined {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (name.startsWith('/') || name.includes('\0') || parts.includes('..')) {
    throw new Error(`The export is damaged: ${JSON.stringify(name)} is outside of it.`)
  }
  if (type === 'directory') return undefined
  if (type !== 'file' && type !== 'contiguous-file') {
    throw new Error(`The export is damaged: ${name} is not a file but a ${type}.`)
  }
  return [parts.join('/'), parts.slice(1).join('/')].find((path) => wanted.test(path))
}

async function unpackEntry(entry: Entry, path: string) {
  try {
    makeDirectories(dirname(path))
    await pipeline(entry, createWriteStream(path, { flags: 'wx' }))
  } catch (error) {
    if (!['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(codeOf(error) ?? '')) throw error
    throw new Error(`The export is damaged: ${entry.header.name} is in it twice, or has no possible name.`, {
      cause: error,
    })
  }
}
