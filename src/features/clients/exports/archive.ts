import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Pack } from 'tar-stream'
import type { FileStore } from '../../../adapters/files/file-store.ts'
import type { LongReader, Reader } from '../../../db/database.ts'
import { migrations } from '../../../db/migrate.ts'
import type { RealmRow } from '../../../db/schema.ts'
import { readHead } from '../../../log/head.ts'
import { checkComplete, filesOf } from './export-files.ts'
import {
  type End,
  endFile,
  fileEntry,
  formatName,
  formatVersion,
  type Manifest,
  manifestFile,
  tableEntry,
} from './format.ts'
import { exportedContent, type TableRows, tablesOf } from './rows.ts'
import { type ScopeName, scopeAt } from './scope.ts'

/** The content of an export and its sources. */
type Source = {
  read: Reader
  files: FileStore
  realmId: number
  scope: ScopeName
  /** For the scope `person`. */
  personId?: number
  /** Whether missing files may be left out. Otherwise the export fails and lists them. */
  allowMissing?: boolean
  /** The version of this server, for the manifest. */
  version: string
  now: number
}

/**
 * Passes an export to `keep` as a gzipped tar archive while it is created: a consistent snapshot, in bounded memory.
 * Returns the result of `keep` once everything is in the archive. The signal aborts the work with an error.
 */
export async function writeArchive<T>(
  source: Source,
  keep: (content: Readable) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { default: tar } = await import('tar-stream')
  const pack = tar.pack()
  const gzip = createGzip()
  const passing = pipeline(pack, gzip, { signal })
  const writing = source.read.longSnapshot((read) => write(pack, read, source))
  const stop = (error: Error) => {
    pack.destroy(error)
    throw error
  }
  // The first failure is the cause; the others follow from it.
  const failed = Promise.all([writing.catch(stop), passing])
  const keeping = keep(gzip).catch(stop)
  const [first] = await Promise.allSettled([Promise.all([failed, keeping]), passing, writing])
  if (first.status === 'rejected') throw first.reason
  return first.value[1]
}

async function write(pack: Pack, read: LongReader, source: Source) {
  const { realmId, files } = source
  const scope = await scopeAt(read, realmId, source.scope, source.now, source.personId)
  const tables = await tablesOf(read, realmId, scope)
  const manifest = await manifestOf(read, source, tables)
  await addText(pack, source, manifestFile, manifest)
  for (const table of tables) {
    const { name, bytes } = table.file
    await add(pack, source, tableEntry(name), bytes, exportedContent(read, table))
  }
  const end: End = { files: 0, bytes: 0 }
  const missing: string[] = []
  for await (const path of filesOf(read, realmId, tables)) {
    const found = await files.open(path)
    if (!found) {
      missing.push(path)
      continue
    }
    await add(pack, source, fileEntry(path), found.size, found.content)
    end.files += 1
    end.bytes += found.size
  }
  if (missing.length > 0 && !source.allowMissing) {
    await source.read.longSnapshot((now) => checkComplete(now, realmId, missing))
  }
  await addText(pack, source, endFile, end)
  pack.finalize()
}

async function manifestOf(read: LongReader, source: Source, tables: TableRows[]): Promise<Manifest> {
  const { realmId, scope, personId, version, now } = source
  const realm = (await read
    .selectFrom('realm')
    .where('id', '=', realmId)
    .selectAll()
    .executeTakeFirstOrThrow()) as RealmRow
  const { lastMessageId } = await readHead(read, realmId)
  return {
    format: formatName,
    format_version: formatVersion,
    scope,
    ...(personId !== undefined && { user_id: personId }),
    made_at: now,
    made_by: version,
    schema: (await migrations()).map((name) => name.replace('.sql', '')),
    organization: { id: realmId, uuid: realm.uuid, subdomain: realm.subdomain, name: realm.name },
    last_message_id: lastMessageId,
    tables: tables.map(({ file }) => file),
  }
}

function addText(pack: Pack, source: Source, name: string, content: object) {
  const text = Buffer.from(`${JSON.stringify(content, null, 2)}\n`)
  return add(pack, source, name, text.length, Readable.from([text]))
}

async function add(pack: Pack, { now }: Source, name: string, size: number, content: AsyncIterable<Buffer>) {
  const entry = pack.entry({ name, size, mode: 0o600, mtime: new Date(now * 1000) })
  await pipeline(content, entry)
}
