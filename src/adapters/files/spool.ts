import { randomBytes, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { systemMilliseconds } from '../../lib/clock.ts'
import { codeOf } from '../../lib/errors.ts'
import { makeDirectory } from '../../lib/files/ownership.ts'
import type { IncomingFile } from './file-store.ts'

/** After this many milliseconds without a write, no process can still be working on a file. */
const abandonedMs = 3_600_000

/** Names the process that a file belongs to. The random part tells it from an earlier process of the same number. */
const mark = { host: hostname(), pid: process.pid, run: randomBytes(4).toString('hex') }

/** A directory of unfinished files. `keep` moves a finished one to its place. */
export class Spool {
  private readonly directory: string
  private ready: Promise<void> | undefined

  constructor(directory: string) {
    this.directory = directory
  }

  /** Receives content; `flush`: so that it survives a crash. An error of the stream leaves nothing behind. */
  async receive(
    content: Readable,
    keep: (file: string, path: string, size: number) => Promise<void>,
    { flush }: { flush: boolean },
  ): Promise<IncomingFile> {
    await this.open()
    const file = join(this.directory, `${mark.host}.${mark.pid}.${mark.run}.${randomUUID()}`)
    const discard = () => rm(file, { force: true })
    try {
      await pipeline(content, createWriteStream(file, { mode: 0o600, flush }))
      const { size } = await stat(file)
      return {
        size,
        read: (range) => createReadStream(file, range),
        keep: (path) => keep(file, path, size),
        discard,
      }
    } catch (error) {
      // The directory may be gone, or its disk read-only: it is looked at again next time.
      this.ready = undefined
      await discard().catch(() => {})
      throw error
    }
  }

  private open() {
    this.ready ??= this.prepare().catch((error) => {
      this.ready = undefined
      throw error
    })
    return this.ready
  }

  private async prepare() {
    await makeDirectory(this.directory)
    await this.tidy()
  }

  /** Removes the files of processes that have ended, and files that were abandoned. */
  async tidy() {
    for (const name of await readdir(this.directory).catch(() => [])) {
      const file = join(this.directory, name)
      if (!belongsToTheDead(name)) {
        const found = await stat(file).catch(() => undefined)
        if (!found || systemMilliseconds() - found.mtimeMs <= abandonedMs) continue
      }
      await rm(file, { force: true })
    }
  }
}

/** Whether the name of a file names an ended process of this machine. */
function belongsToTheDead(name: string): boolean {
  const [, host, pid, run] = /^(.+)\.(\d+)\.([0-9a-f]{8})\.[^.]+$/.exec(name) ?? []
  if (host !== mark.host) return false
  return Number(pid) === mark.pid ? run !== mark.run : !isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // One of another user runs as well.
    return codeOf(error) === 'EPERM'
  }
}

/** FileStore.put by means of what FileStore.receive does. */
export async function putWith(
  receive: (content: Readable) => Promise<IncomingFile>,
  path: string,
  content: Readable | Buffer,
): Promise<number> {
  const incoming = await receive(streamOf(content))
  try {
    await incoming.keep(path)
    return incoming.size
  } finally {
    await incoming.discard()
  }
}

export function streamOf(content: Readable | Buffer): Readable {
  return Buffer.isBuffer(content) ? Readable.from([content]) : content
}
