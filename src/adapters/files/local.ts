import { constants } from 'node:fs'
import { access, open, opendir, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { unavailable } from '../../lib/component.ts'
import { giveToOwnerOf, makeDirectory } from '../../lib/files/ownership.ts'
import { adapterLimits } from '../limits.ts'
import type { FileStore } from './file-store.ts'
import { putWith, Spool } from './spool.ts'
import { partsOfPath } from './store-path.ts'

/** Files in a directory of this machine. Only the server's own user may read them. */
export function localFiles(directory: string): FileStore {
  const spool = new Spool(join(directory, '.unfinished'))
  const keep = async (file: string, path: string) => {
    const target = inside(directory, path)
    const firstMade = await makeDirectory(dirname(target))
    await giveToOwnerOf(dirname(target), file)
    await rename(file, target)
    await flushDirectory(dirname(target))
    if (firstMade !== undefined) await flushAbove(dirname(target), firstMade)
  }
  const receive = (content: Readable) => spool.receive(content, keep, { flush: true })
  return {
    receive,
    put: (path, content) => putWith(receive, path, content),
    async open(path, range) {
      const file = await open(inside(directory, path)).catch(ignoreMissing)
      if (!file) return undefined
      const found = await file.stat()
      if (found.isFile()) return { size: found.size, content: file.createReadStream(range) }
      await file.close()
      return undefined
    },
    async remove(path) {
      await rm(inside(directory, path), { force: true })
    },
    async check() {
      await makeDirectory(directory)
      await access(directory, constants.W_OK)
      const { bavail, bsize } = await statfs(directory)
      if (bavail * bsize < adapterLimits.fullDisk)
        throw unavailable('file store', new Error('The disk is full.'))
    },
    tidy: () => spool.tidy(),
    async *list(prefix) {
      for await (const path of below(directory, prefix.slice(0, prefix.lastIndexOf('/') + 1))) {
        if (path.startsWith(prefix) && !path.startsWith('.unfinished/')) yield path
      }
    },
  }
}

/** The paths of all files in a folder and below, one after the other: there may be many. */
async function* below(directory: string, folder: string): AsyncIterable<string> {
  const entries = await opendir(join(directory, folder)).catch(ignoreMissing)
  if (!entries) return
  for await (const entry of entries) {
    if (entry.isDirectory()) yield* below(directory, `${folder}${entry.name}/`)
    else if (entry.isFile()) yield folder + entry.name
  }
}

/** Makes the name of a file as durable as its content. */
async function flushDirectory(directory: string) {
  const handle = await open(directory, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Makes the names of new directories above it durable, up to the first of them. */
async function flushAbove(last: string, first: string) {
  for (let made = last; made.length >= first.length; made = dirname(made)) await flushDirectory(dirname(made))
}

function inside(directory: string, path: string) {
  return join(directory, ...partsOfPath(path))
}

function ignoreMissing(error: NodeJS.ErrnoException) {
  if (error.code === 'ENOENT') return undefined
  throw error
}
