import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Extract } from 'tar-stream'
import type { FileStore } from '../../../adapters/files/file-store.ts'
import { removeAll } from '../../../adapters/files/remove-all.ts'
import { migrations } from '../../../db/migrate.ts'
import { codeOf, messageOf } from '../../../lib/errors.ts'
import { ignore } from '../../../lib/guard.ts'
import { type Actor, serverActor } from '../../../log/audit/actor.ts'
import { importRealm, type RowSink } from '../../../log/lifecycle/import-realm.ts'
import { firstMeasurement } from '../../channels/channel-activity/measure-activity.ts'
import { firstAnnouncement } from '../../channels/full-members/schedule-announcement.ts'
import { firstDigests } from '../../notifications/digests/schedule-digests.ts'
import {
  type End,
  endFile,
  type Manifest,
  manifestFile,
  pathOfEntry,
  readManifest,
  tableEntry,
} from './format.ts'
import { exportLimits } from './limits.ts'
import { rewriteRealmIds } from './rewrite-realm-ids.ts'
import { type TablePlan, tablePlans } from './tables.ts'

type Entry = Readable & { header: { name: string } }

export type Imported = { realmId: number; subdomain: string; manifest: Manifest; end: End }

type Import = {
  databaseUrl: string
  /** The uuids of organizations in further databases of the server. */
  known?: string[]
  files: FileStore
  content: Readable
  /** Returns the organization's subdomain; throws if it is not available. */
  subdomain(manifest: Manifest): Promise<string>
  /** The actor for the audit log, by default the server, and the time of the import. */
  actor?: Actor
  now: number
  /** Receives a line if the import has to wait. */
  report?(line: string): void
}

/**
 * Creates an organization from an archive, completely or not at all. Throws an error of one sentence if the archive is
 * incomplete or does not fit this version.
 */
export async function importArchive(into: Import): Promise<Imported> {
  const { default: tar } = await import('tar-stream')
  const extract = tar.extract()
  let broken: unknown
  const passing = pipeline(into.content, createGunzip(), extract).catch((error) => {
    broken = error
  })
  try {
    return await read(extract, into)
  } catch (error) {
    extract.destroy()
    await passing
    if (error === broken) {
      throw new Error(`The export cannot be read: ${messageOf(error)}.`, { cause: error })
    }
    if (!isOfContent(error)) throw error
    throw new Error(`The export is damaged: ${messageOf(error)}.`, { cause: error })
  }
}

/**
 * Whether an error is about what an archive holds. The end of the archive, where gzip would find the damage, comes later. 22 and
 * 23: PostgreSQL refuses a value, or a row.
 */
function isOfContent(error: unknown): boolean {
  return error instanceof SyntaxError || /^2[23]...$/.test(codeOf(error) ?? '')
}

async function read(
  extract: Extract,
  { databaseUrl, known, files, subdomain, actor = serverActor, now, report = ignore }: Import,
): Promise<Imported> {
  // The type declarations omit that each entry has a header.
  const entries = extract[Symbol.asyncIterator]() as unknown as AsyncIterator<Entry>
  const first = await next(entries)
  if (first.header.name !== manifestFile) throw new Error('This is no export of Rookery.')
  const manifest = readManifest(await text(first))
  const older = await olderSchema(manifest)
  checkTables(manifest)
  const name = await subdomain(manifest)
  const realm = {
    id: manifest.organization.id,
    lastMessageId: manifest.last_message_id,
    older,
    highest: Object.fromEntries(manifest.tables.map((table) => [table.name, table.highest])),
  }
  const take = async (sink: RowSink) => {
    try {
      for (const table of manifest.tables) await takeRows(await next(entries), table, manifest, name, sink)
      await beginJobs(manifest, sink)
      const end = await takeFiles(entries, files, sink.realmId)
      return { realmId: sink.realmId, subdomain: name, manifest, end }
    } catch (error) {
      // No other organization has this id, so all of these files belong to the import.
      await removeAll(files, `${sink.realmId}/`)
      throw error
    }
  }
  return importRealm(databaseUrl, realm, take, { actor, now, knownElsewhere: known, report })
}

async function next(entries: AsyncIterator<Entry>): Promise<Entry> {
  const { value, done } = await entries.next()
  if (done || !value) throw new Error('The export is cut off: something is missing at its end.')
  return value
}

/**
 * Returns the migrations that the data have had if later ones are to run over them; undefined if they have had all. Throws one
 * sentence if they do not fit this version.
 */
async function olderSchema({ scope, schema, made_by }: Manifest): Promise<string[] | undefined> {
  if (scope === 'person')
    throw new Error('This export has the data of one person, which make no organization.')
  const own = await migrations()
  const applied = own.slice(0, schema.length)
  if (applied.map((name) => name.replace('.sql', '')).join() !== schema.join()) {
    throw new Error(
      `This export was made by Rookery ${made_by}, which is newer than this version, or another program: import it with that version.`,
    )
  }
  return applied.length < own.length ? applied : undefined
}

/** Throws if it has rows of a table that no export has: such as files to remove, and mails to send. */
function checkTables({ tables }: Manifest) {
  const plans = new Map<string, TablePlan>(Object.entries(tablePlans))
  for (const { name } of tables) {
    const plan = plans.get(name)
    if (plan && 'never' in plan) throw new Error(`The export is damaged: no export has rows of ${name}.`)
  }
}

type Table = Manifest['tables'][number]

async function takeRows(entry: Entry, table: Table, manifest: Manifest, subdomain: string, sink: RowSink) {
  if (entry.header.name !== tableEntry(table.name)) {
    throw new Error(`The export is damaged: ${entry.header.name} stands where ${table.name} should.`)
  }
  const { id, uuid } = manifest.organization
  const isCopy = sink.isKnown(uuid)
  let count = 0
  for await (const lines of linesOf(entry)) {
    const rows =
      table.name === 'realm'
        ? lines.map((line) => renamed(line, subdomain, isCopy ? randomUUID() : uuid))
        : lines
    await sink.add(
      table.name,
      table.columns,
      id === sink.realmId ? rows : rewriteRealmIds(table.name, rows, id, sink.realmId),
    )
    count += rows.length
  }
  if (count !== table.rows) {
    throw new Error(`The export is damaged: ${table.name} has ${count} rows instead of ${table.rows}.`)
  }
}

/** Only full exports contain the organization's jobs. */
async function beginJobs({ tables }: Manifest, sink: RowSink) {
  if (tables.some(({ name }) => name === 'job')) return
  const jobs = [firstMeasurement, firstAnnouncement, firstDigests]
  await sink.add(
    'job',
    Object.keys(firstMeasurement),
    jobs.map((job) => JSON.stringify(job)),
  )
}

/**
 * Returns the organization's own row with its new name, and with its identity: a new one if the original exists on this
 * server as well.
 */
function renamed(line: string, subdomain: string, uuid: string): string {
  return JSON.stringify({ ...JSON.parse(line), subdomain, uuid })
}

/** Yields the lines of a file in batches. */
async function* linesOf(content: AsyncIterable<Buffer>): AsyncIterable<string[]> {
  let pieces: Buffer[] = []
  let size = 0
  for await (const piece of content) {
    pieces.push(piece)
    size += piece.length
    const end = piece.lastIndexOf(0x0a)
    if (size < exportLimits.importPortion || end < 0) continue
    const whole = Buffer.concat(pieces)
    const rest = whole.subarray(whole.length - (piece.length - end - 1))
    yield whole.toString('utf8', 0, whole.length - rest.length - 1).split('\n')
    pieces = rest.length > 0 ? [Buffer.from(rest)] : []
    size = rest.length
  }
  if (size > 0) yield Buffer.concat(pieces).toString('utf8').trimEnd().split('\n')
}

async function takeFiles(entries: AsyncIterator<Entry>, files: FileStore, realmId: number): Promise<End> {
  const taken: End = { files: 0, bytes: 0 }
  for (;;) {
    const entry = await next(entries)
    if (entry.header.name === endFile) {
      const end = JSON.parse(await text(entry)) as End
      if (end.files !== taken.files || end.bytes !== taken.bytes) {
        throw new Error(`The export is damaged: it has ${taken.files} files instead of ${end.files}.`)
      }
      if (!(await entries.next()).done) throw new Error('The export is damaged: it goes on after its end.')
      return taken
    }
    const path = pathOfEntry(entry.header.name, realmId)
    if (!path) throw new Error(`The export is damaged: nothing is known of ${entry.header.name}.`)
    taken.files += 1
    taken.bytes += await files.put(path, entry)
  }
}
