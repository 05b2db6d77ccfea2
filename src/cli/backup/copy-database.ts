import { execFile } from 'node:child_process'
import { chmod, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import type { Config } from '../../config/config.ts'
import { hashFile, writeHashed } from '../../lib/files/hashed-file.ts'
import { firstIn, must } from '../../lib/must.ts'
import { packCluster } from '../../postgres/cluster-copy.ts'
import {
  backupSlot,
  isKept,
  newSlot,
  releaseBefore,
  segmentAfter,
  segmentsFrom,
} from '../../postgres/wal-segments.ts'
import { cliLimits } from '../limits.ts'
import { copySegments } from './copy-segments.ts'
import type { BackupFolder, BackupManifest, ClusterPart, LogHead } from './manifest.ts'

/** The database of a backup. */
type DatabaseCopy = Pick<BackupManifest, 'kind' | 'database' | 'heads' | 'moment'> & {
  /** To be called when the backup is finished. */
  release(): Promise<void>
}

/** `isTrial`: no other backup will build on this one. */
type Task = { client: pg.Client; config: Config; places: BackupFolder; id: string; isTrial?: true }

/** Copies our own cluster, or what came since `last`, if PostgreSQL has kept that. */
export async function copyCluster(task: Task, last: BackupManifest | undefined): Promise<DatabaseCopy> {
  const { client } = task
  const version = Math.floor(Number(await ask(client, "current_setting('server_version_num')")) / 10_000)
  const system = await ask(client, '(SELECT system_identifier FROM pg_control_system())')
  const before = last?.database.form === 'cluster' ? last.database : undefined
  const isSame = before?.version === version && before.system === system
  if (before && isSame && (await isKept(client, segmentAfter(lastOf(before))))) return copyLog(task, before)
  return copyAll(task, version, system)
}

async function copyAll(task: Task, version: number, system: string): Promise<DatabaseCopy> {
  const { client, config, places, id } = task
  const slot = await newSlot(client, task.isTrial)
  await client.query("SELECT pg_backup_start('rookery', true)")
  const noted = { heads: [] as LogHead[], moment: '', first: '', position: '' }
  const finish = async () => {
    Object.assign(noted, await noteMoment(client))
    const { rows } = await client.query<{ lsn: string; labelfile: string }>(
      'SELECT lsn, labelfile FROM pg_backup_stop(false)',
    )
    const { lsn, labelfile } = firstIn(rows)
    noted.position = lsn
    noted.first = must(/\(file ([0-9A-F]{24})\)/.exec(labelfile)?.[1], 'segment in the label of the copy')
    return labelfile
  }
  const cluster = join(config.dataDirectory, 'postgres')
  const content = await packCluster(cluster, finish, (packed) => writeHashed(packed, places.base(id)))
  const { heads, moment, first, position } = noted
  const wal = await copySegments(config, places, segmentsFrom(first, await segmentOf(client, position)))
  const database: ClusterPart = { form: 'cluster', version, system, base: { id, moment, ...content }, wal }
  return { kind: 'full', database, heads, moment, release: () => releaseBefore(client, slot, position) }
}

async function copyLog(task: Task, before: ClusterPart): Promise<DatabaseCopy> {
  const { client, config, places } = task
  const noted = await noteMoment(client)
  // Ends the segment, so that it can be copied whole.
  const position = await ask(client, 'pg_switch_wal()')
  const newest = await segmentOf(client, position)
  const wal = await copySegments(config, places, segmentsFrom(segmentAfter(lastOf(before)), newest))
  const database = { ...before, wal: [...before.wal, ...wal] }
  return {
    kind: 'incremental',
    database,
    ...noted,
    release: () => releaseBefore(client, backupSlot, position),
  }
}

function lastOf({ wal }: ClusterPart): string {
  return must(wal.at(-1), 'segment of the log in the backup').name
}

async function segmentOf(client: pg.Client, position: string): Promise<string> {
  return ask(client, `pg_walfile_name('${position}'::pg_lsn)`)
}

/**
 * Notes how far the logs have come. All of that is before what PostgreSQL writes next, so it is in the copy. The empty
 * transaction leaves a time in PostgreSQL's log, by which a restore up to a time before knows that it has come far enough.
 */
async function noteMoment(client: pg.Client): Promise<{ heads: LogHead[]; moment: string }> {
  const moment = await ask(
    client,
    `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  )
  const { rows } = await client.query<{ realm_id: string; last_event_id: string; stamp: string }>(
    'SELECT realm_id, last_event_id, stamp::text AS stamp FROM realm_head ORDER BY realm_id',
  )
  await client.query('SELECT pg_current_xact_id()')
  const heads = rows.map(({ realm_id, last_event_id, stamp }) => ({
    realm_id: Number(realm_id),
    last_event_id: Number(last_event_id),
    stamp,
  }))
  return { heads, moment }
}

async function ask(client: pg.Client, expression: string): Promise<string> {
  return firstIn((await client.query<{ said: string }>(`SELECT (${expression})::text AS said`)).rows).said
}

/** Copies a database elsewhere with the pg_dump of this machine. */
export async function dumpDatabase({ client, config, places, id }: Task): Promise<DatabaseCopy> {
  const url = must(config.databaseUrl, 'address of a database')
  const version = Math.floor(Number(await ask(client, "current_setting('server_version_num')")) / 10_000)
  await checkTool('pg_dump', version)
  const noted = await noteMoment(client)
  const unfinished = `${places.dump(id)}.unfinished`
  const options = ['--format=custom', '--compress=1', '--no-owner', '--no-privileges', `--file=${unfinished}`]
  try {
    await runTool('pg_dump', options, url)
    await chmod(unfinished, 0o600)
    await rename(unfinished, places.dump(id))
  } finally {
    await rm(unfinished, { force: true })
  }
  const content = must(await hashFile(places.dump(id)), 'dump of the database')
  return { kind: 'full', database: { form: 'dump', version, ...content }, ...noted, release: async () => {} }
}

/** Throws one sentence unless a program of PostgreSQL is on this machine, and can read a database of that major version. */
export async function checkTool(name: string, version: number): Promise<void> {
  const said = await promisify(execFile)(name, ['--version']).catch(() => {
    throw new Error(
      `${name} is not on this machine: install the client programs of PostgreSQL ${version} or newer.`,
    )
  })
  const own = Number(/(\d+)/.exec(said.stdout)?.[1])
  if (own >= version) return
  throw new Error(
    `${name} is of PostgreSQL ${own}, and the database of ${version}: install the client programs of PostgreSQL ${version} or newer.`,
  )
}

/** Runs a program of PostgreSQL on a database. No other user of this machine sees the password. */
export async function runTool(name: string, args: string[], databaseUrl: string): Promise<void> {
  const { url, password } = withoutPassword(databaseUrl)
  const env = { ...process.env, ...(password !== undefined && { PGPASSWORD: password }) }
  await promisify(execFile)(name, [`--dbname=${url}`, ...args], {
    env,
    maxBuffer: cliLimits.dumpOutputBytes,
  }).catch((error) => {
    const said = String(error.stderr ?? '')
      .trim()
      .split('\n')[0]
    throw new Error(`${name} failed: ${said || error.message}`, { cause: error })
  })
}

function withoutPassword(databaseUrl: string): { url: string; password: string | undefined } {
  const [, start, given, rest] = /^([^:]+:\/\/[^:@/]*):([^@/]*)(@.*)$/.exec(databaseUrl) ?? []
  const bare = given === undefined ? databaseUrl : `${start}${rest}`
  const [address = '', query = ''] = bare.split('?')
  const parameters = query.split('&').filter((one) => one !== '')
  const others = parameters.filter((one) => !one.startsWith('password='))
  const named = parameters.find((one) => !others.includes(one))?.slice('password='.length)
  const password = named ?? given
  return {
    url: others.length > 0 ? `${address}?${others.join('&')}` : address,
    password: password === undefined ? undefined : decodeURIComponent(password),
  }
}

/** Returns the bytes that the copy of a database takes in the folder. */
export async function sizeOf(places: BackupFolder, { id, database }: BackupManifest): Promise<number> {
  if (database.form === 'dump') return (await stat(places.dump(id))).size
  return database.base.bytes + database.wal.reduce((sum, { bytes }) => sum + bytes, 0)
}
