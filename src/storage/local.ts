import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import type { FileStore } from '../lib/file-store.ts'
import { putWith, Spool } from './spool.ts'

/** Files in a directory of this machine. Only the server's own user may read them. */
export function localFiles(directory: string): FileStore {
  const spool = new Spool(join(directory, '.unfinished'))
  const keep = async (file: string, path: string) => {
    const target = inside(directory, path)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await rename(file, target)
    await flushDirectory(dirname(target))
  }
  const receive = (content: Readable) => spool.receive(content, keep, { flush: true })
  return {
    receive,
    put: (path, content) => putWith(receive, path, content),
    async open(path, range) {
      const target = inside(directory, path)
      const found = await stat(target).catch(ignoreMissing)
      if (!found?.isFile()) return undefined
      return { size: found.size, content: createReadStream(target, range) }
    },
    async remove(path) {
      await rm(inside(directory, path), { force: true })
    },
    async *list(prefix) {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(ignoreMissing)
      for (const entry of entries ?? []) {
        const path = relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/')
        if (entry.isFile() && path.startsWith(prefix) && !path.startsWith('.unfinished/')) yield path
      }
    },
  }
}

/** So that the name is as durable as the content. */
async function flushDirectory(directory: string) {
  const handle = await open(directory, 'r')
  await handle.sync().finally(() => handle.close())
}

function inside(directory: string, path: string) {
  const target = join(directory, path)
  if (!target.startsWith(directory + sep)) throw new Error(`${path} leads out of the store`)
  return target
}

function ignoreMissing(error: NodeJS.ErrnoException) {
  if (error.code === 'ENOENT') return undefined
  throw error
}
