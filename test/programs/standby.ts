import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/postgres/embedded.ts'

/**
 * A migrated database, another one beside it (`second`), and a standby of the cluster of both, which replays what they
 * write.
 */
export class DatabaseWithStandby {
  readonly url: string
  readonly standbyUrl: string
  private readonly directory: string
  private servers: EmbeddedPostgres[]

  private constructor(directory: string, [primary, standby]: [EmbeddedPostgres, EmbeddedPostgres]) {
    this.directory = directory
    this.servers = [standby, primary]
    this.url = primary.url
    this.standbyUrl = standby.url
  }

  static async start(): Promise<DatabaseWithStandby> {
    const directory = await mkdtemp(join(tmpdir(), 'standby-'))
    const primary = await startPostgres(join(directory, 'primary'))
    await migrate(primary.url)
    await ask(databaseOn(primary.url, 'postgres'), 'CREATE DATABASE second TEMPLATE rookery')
    const open = 'local all all trust\nlocal replication all trust\n'
    await writeFile(join(directory, 'primary/postgres/pg_hba.conf'), open)
    await ask(primary.url, 'SELECT pg_reload_conf()')
    await copyCluster(primary.url, directory)
    const { user, host } = new pg.Client({ connectionString: primary.url })
    const standby = await startPostgres(join(directory, 'standby'), {
      primary_conninfo: `host=${host} user=${user}`,
      wal_retrieve_retry_interval: '100ms',
    })
    return new DatabaseWithStandby(directory, [primary, standby])
  }

  /** Stops the replay, at most until the test is over: the standby stays as it is, and still answers. */
  async pause() {
    await this.catchUp()
    onTestFinished(() => this.resume())
    await ask(this.standbyUrl, 'SELECT pg_wal_replay_pause()')
    const state = 'SELECT pg_get_wal_replay_pause_state() AS state'
    await expect.poll(() => ask(this.standbyUrl, state)).toEqual([{ state: 'paused' }])
  }

  async resume() {
    await ask(this.standbyUrl, 'SELECT pg_wal_replay_resume()')
    await this.catchUp()
  }

  /** Waits until the standby has all that the database has. */
  async catchUp() {
    const [{ lsn }] = await ask<{ lsn: string }>(this.url, 'SELECT pg_current_wal_flush_lsn() AS lsn')
    const isThere = `SELECT pg_last_wal_replay_lsn() >= '${lsn}' AS "isThere"`
    await expect.poll(() => ask(this.standbyUrl, isThere), { interval: 5 }).toEqual([{ isThere: true }])
  }

  /** Kills the standby, which is then started again. */
  async killStandby() {
    const file = join(this.directory, 'standby/postgres/postmaster.pid')
    process.kill(Number.parseInt(await readFile(file, 'utf8'), 10), 'SIGKILL')
  }

  /** Stops the replay before the moment at which a table gets a column that servers read. */
  async pauseBeforeColumn(table: string, column: string) {
    await ask(this.url, `ALTER TABLE ${table} RENAME ${column} TO missing`)
    await this.pause()
    await ask(this.url, `ALTER TABLE ${table} RENAME missing TO ${column}`)
  }

  /** Lets the standby end reads immediately that are in the way of the replay, until the test is over. */
  private async preferRecovery() {
    const change = async (change: string) => {
      await ask(this.standbyUrl, `ALTER SYSTEM ${change}`)
      await ask(this.standbyUrl, 'SELECT pg_reload_conf()')
    }
    onTestFinished(() => change('RESET max_standby_streaming_delay'))
    await change('SET max_standby_streaming_delay = 0')
  }

  /** Stops the replay while reads of messages are locked out, as if the stream had broken off there. */
  pauseInLock() {
    return this.pausedIn(lockMessages, async () => {})
  }

  /** Has the standby cancel a read of messages, which is in the way of the replay. */
  async cancel<T>(read: () => Promise<T>): Promise<T> {
    await this.preferRecovery()
    // The read has locked the table when it waits for the index.
    return this.pausedIn('REINDEX INDEX message_pkey', async (client) => {
      const reading = read()
      const waiting = 'SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted'
      await expect.poll(() => ask(this.standbyUrl, waiting), { interval: 5 }).toEqual([{ count: 1 }])
      await client.query(`${lockMessages}; COMMIT`)
      await this.resume()
      return reading
    })
  }

  /** Stops the replay within a transaction that locks something, and does work there. */
  private async pausedIn<T>(lock: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.url })
    await client.connect()
    try {
      await client.query(`BEGIN; ${lock}`)
      // Another commit writes the lock to the disk.
      await ask(this.url, "SELECT pg_logical_emit_message(true, 'test', '')")
      await this.pause()
      return await work(client)
    } finally {
      await client.end()
    }
  }

  /** Makes the standby a database of its own. */
  async promote() {
    await ask(this.standbyUrl, 'SELECT pg_promote()')
  }

  /** Lets the standby take over, and the database go on as a standby that has not heard of it; returns its new URL. */
  async takeOver(): Promise<string> {
    await this.promote()
    const [standby, primary] = this.servers as [EmbeddedPostgres, EmbeddedPostgres]
    // The log of the database grows by at least a segment.
    await ask(this.url, 'SELECT pg_switch_wal()')
    await ask(this.url, "SELECT pg_logical_emit_message(true, 'test', '')")
    await ask(this.url, 'SELECT pg_switch_wal()')
    await primary.stop()
    await writeFile(join(this.directory, 'primary/postgres/standby.signal'), '')
    const left = await startPostgres(join(this.directory, 'primary'))
    this.servers = [standby, left]
    return left.url
  }

  async stop() {
    for (const server of this.servers) await server.stop()
    await rm(this.directory, { recursive: true, force: true })
  }
}

const lockMessages = 'LOCK TABLE message IN ACCESS EXCLUSIVE MODE'

/** Returns the URL of another database of the same cluster. */
export function databaseOn(url: string, name: string): string {
  return url.replace('@/rookery?', `@/${name}?`)
}

function startPostgres(dataDir: string, more: Record<string, string> = {}) {
  const settings = { fsync: 'off', shared_buffers: '16MB', autovacuum: 'off', max_connections: '40', ...more }
  return startEmbeddedPostgres({ dataDir, log: () => {}, settings })
}

/** Copies the cluster of a running database as one that follows it. */
async function copyCluster(url: string, directory: string) {
  const [from, to] = ['primary', 'standby'].map((name) => join(directory, name, 'postgres')) as [
    string,
    string,
  ]
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("SELECT pg_backup_start('standby', true)")
  await mkdir(join(directory, 'standby'))
  const isLeft = /^(pg_wal|pg_replslot)\/.|^postmaster\.(pid|opts)$/
  await cp(from, to, { recursive: true, filter: (path) => !isLeft.test(relative(from, path)) })
  const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)')
  await client.end()
  await writeFile(join(to, 'backup_label'), rows[0].labelfile)
  await writeFile(join(to, 'standby.signal'), '')
}

async function ask<Row>(url: string, sql: string): Promise<[Row, ...Row[]]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows as [Row, ...Row[]]
  } finally {
    await client.end()
  }
}
