import { resolve } from 'node:path'
import pg from 'pg'
import type { Config } from '../../config/config.ts'
import { connect } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { expectedFiles } from '../../features/clients/kernel/stored-files/expected.ts'
import { withClient } from '../database/with-client.ts'
import { inTemporaryDirectory } from '../temporary-directory.ts'
import { faultsOfDatabase, faultsOfFiles, faultsOfLists } from './check-content.ts'
import { type Choice, chooseBackup } from './choose.ts'
import { type FileList, readChosenFiles } from './file-list.ts'
import { type BackupFolder, type BackupManifest, type LogHead, placesIn } from './manifest.ts'
import { checkFits, putClusterBack } from './put-back.ts'
import { whileReading } from './reading.ts'

type Wanted = { config: Config; folder: string; choice: Choice; at: string | undefined }

type Verified = { manifest: BackupManifest; faults: string[]; rows: Record<string, number> }

/**
 * Checks whether a backup can be restored: all its parts are unchanged; its database starts elsewhere, can be read in
 * full, and has everything that was acknowledged before; and every file that a row refers to is there.
 */
export async function verifyBackup(wanted: Wanted): Promise<Verified> {
  const places = placesIn(resolve(wanted.folder))
  return whileReading(places, () => verify(places, wanted))
}

async function verify(places: BackupFolder, { choice, at }: Wanted): Promise<Verified> {
  const chosen = await chooseBackup(places, choice)
  const { manifest, until } = chosen
  await checkFits(manifest)
  const faults: string[] = []
  for await (const fault of faultsOfLists(places, chosen)) faults.push(fault)
  const list = faults.length === 0 ? await readChosenFiles(places, chosen) : undefined
  for await (const fault of faultsOfDatabase(places, manifest)) faults.push(fault)
  const isWhole = faults.length === 0
  if (list) for await (const fault of faultsOfFiles(places, list)) faults.push(fault)
  const rows: Verified['rows'] = {}
  if (!list || !isWhole) return { manifest, faults, rows }
  const compare = async (url: string) => {
    if (until === undefined)
      faults.push(...(await withClient(url, (client) => lostOf(client, manifest.heads))))
    // A backup of an older version is compared as the next start of this one would see it.
    await migrate(url)
    Object.assign(rows, await withClient(url, countAll))
    faults.push(...(await missingFiles(url, list)))
  }
  await inTemporaryDirectory(at, 'rookery-verify-', (directory) =>
    putClusterBack(directory, places, chosen, compare),
  )
  return { manifest, faults, rows }
}

/** Compares the last entry of each log with the one that the backup recorded, by the random number of its commit. */
async function lostOf(client: pg.Client, heads: LogHead[]): Promise<string[]> {
  const faults: string[] = []
  for (const { realm_id, last_event_id, stamp } of heads) {
    const { rows } = await client.query<{ reached: boolean; differs: boolean }>(
      `SELECT h.last_event_id >= $2 AS reached,
        CASE WHEN h.last_event_id = $2 THEN h.stamp <> $3::bigint ELSE coalesce(e.stamp <> $3::bigint, false) END AS differs
       FROM realm_head h LEFT JOIN event_log e ON e.realm_id = h.realm_id AND e.id = $2 WHERE h.realm_id = $1`,
      [realm_id, last_event_id, stamp],
    )
    const [found] = rows
    if (!found) faults.push(`The organization ${realm_id} is missing.`)
    else if (!found.reached)
      faults.push(`The log of the organization ${realm_id} ends before ${last_event_id}.`)
    else if (found.differs)
      faults.push(`The log of the organization ${realm_id} has another entry ${last_event_id}.`)
  }
  return faults
}

/** Reads every table to its end, by which PostgreSQL compares the checksum of each page; returns how many rows each has. */
async function countAll(client: pg.Client): Promise<Record<string, number>> {
  await client.query(
    'SET enable_indexonlyscan = off; SET enable_indexscan = off; SET enable_bitmapscan = off',
  )
  const { rows: tables } = await client.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname",
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: string }>(
      `SELECT count(*) FROM ${pg.escapeIdentifier(name)}`,
    )
    counts[name] = Number(rows[0]?.count)
  }
  return counts
}

async function missingFiles(url: string, list: FileList): Promise<string[]> {
  const connections = connect(url, 2)
  const faults: string[] = []
  try {
    const realms = await connections.read.selectFrom('realm').select(['id', 'name']).execute()
    await connections.read.longSnapshot(async (moment) => {
      for (const { id, name } of realms) {
        for await (const path of expectedFiles(moment, id)) {
          if (!list.has(path)) faults.push(`The file ${path} of ${name} is not in the backup.`)
        }
      }
    })
  } finally {
    await connections.close()
  }
  return faults
}
