import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Incoming } from '../lib/file-store.ts'

/** How old, in milliseconds, a file is that nobody can be working at any more. */
const abandonedMs = 86_400_000

/** A directory of files that are not finished. `keep` brings one, by its name, to its place. */
export class Spool {
  private readonly directory: string
  private ready: Promise<void> | undefined

  constructor(directory: string) {
    this.directory = directory
  }

  /** Takes content in; `flush`: so that it survives a crash. An error of the stream leaves nothing behind. */
  async receive(
    content: Readable,
    keep: (file: string, path: string, size: number) => Promise<void>,
    { flush }: { flush: boolean },
  ): Promise<Incoming> {
    await this.open()
    const file = join(this.directory, randomUUID())
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
      await discard()
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

  /** Also removes what a crash has left here. */
  private async prepare() {
    await mkdir(this.directory, { recursive: true, mode: 0o700 })
    for (const name of await readdir(this.directory)) {
      const file = join(this.directory, name)
      const found = await stat(file).catch(() => undefined)
      if (found && Date.now() - found.mtimeMs > abandonedMs) await rm(file, { force: true })
    }
  }
}

/** FileStore.put by means of what FileStore.receive does. */
export async function putWith(
  receive: (content: Readable) => Promise<Incoming>,
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
