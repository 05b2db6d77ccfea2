import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Pack } from 'tar-stream'
import { codeOf } from '../lib/errors.ts'

/** Directories whose content is about the running PostgreSQL only: a copy has them, empty. */
const emptied = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
])

const left =
  /^(postmaster\.(pid|opts)|backup_label|tablespace_map|(recovery|standby)\.signal)$|(^|\/)(pgsql_tmp|pg_internal\.init)/

/** PostgreSQL writes it last, so it is copied last. */
const control = 'global/pg_control'

/**
 * Copies the files of a cluster while PostgreSQL writes to them, as a gzipped tar archive. They are of no single moment: the
 * log of the time from before the first file until after the last one makes them so. `end` is called when all files are in
 * the archive, and returns the label that tells PostgreSQL where that log begins.
 */
export async function packCluster<T>(
  cluster: string,
  end: () => Promise<string>,
  keep: (content: Readable) => Promise<T>,
): Promise<T> {
  const { default: tar } = await import('tar-stream')
  const pack = tar.pack()
  const gzip = createGzip({ level: 1 })
  const passing = pipeline(pack, gzip)
  const stop = (error: Error) => {
    pack.destroy(error)
    throw error
  }
  const writing = writeAll(pack, cluster, end).catch(stop)
  const keeping = keep(gzip).catch(stop)
  const [kept, written] = await Promise.allSettled([keeping, writing, passing])
  // A failure of the disk that keeps the copy also ends the reading, which then says less.
  if (kept.status === 'rejected') throw kept.reason
  if (written.status === 'rejected') throw written.reason
  return kept.value
}

async function writeAll(pack: Pack, cluster: string, end: () => Promise<string>) {
  for await (const path of pathsIn(cluster, cluster)) {
    if (path.endsWith('/')) pack.entry({ name: path, type: 'directory', mode: 0o700 })
    else if (path !== control) await addFile(pack, cluster, path)
  }
  await addFile(pack, cluster, control)
  pack.entry({ name: 'backup_label', mode: 0o600 }, await end())
  pack.finalize()
}

/** The paths in a cluster, of directories with a slash at the end. */
async function* pathsIn(cluster: string, directory: string): AsyncGenerator<string> {
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(ignoreMissing)) {
    const path = relative(cluster, join(directory, entry.name))
    if (left.test(path)) continue
    if (entry.isFile()) yield path
    else if (entry.isDirectory()) {
      yield `${path}/`
      if (!emptied.has(path)) yield* pathsIn(cluster, join(directory, entry.name))
    } else
      throw new Error(
        `${join(directory, entry.name)} is neither a file nor a directory: it cannot be copied.`,
      )
  }
}

async function addFile(pack: Pack, cluster: string, path: string) {
  const file = await open(join(cluster, path)).catch(ignoreGone)
  // A table that was dropped meanwhile.
  if (!file) return
  try {
    const { size } = await file.stat()
    await pipeline(exactly(file, size), pack.entry({ name: path, size, mode: 0o600 }))
  } finally {
    await file.close()
  }
}

const portion = 256 * 1024

/** The first bytes of a file. What it has lost meanwhile is zeros: the log has the loss. */
async function* exactly(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  let isOver = false
  for (let at = 0; at < size; ) {
    const wanted = Math.min(portion, size - at)
    const piece = isOver ? Buffer.alloc(wanted) : Buffer.allocUnsafe(wanted)
    const read: number = isOver ? wanted : (await file.read(piece, 0, wanted, at)).bytesRead
    isOver ||= read === 0
    if (read > 0) yield piece.subarray(0, read)
    at += read
  }
}

function ignoreMissing(error: unknown): [] {
  if (codeOf(error) === 'ENOENT') return []
  throw error
}

function ignoreGone(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined
  throw error
}
