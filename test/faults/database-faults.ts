import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../src/lib/network/free-port.ts'
import type { Fault } from './faults.ts'
import { Line } from './line.ts'
import type { Trial } from './trial.ts'

const lines = new WeakMap<Trial, Line>()

async function reachOverLine(trial: Trial) {
  const line = await Line.to(trial.database.url)
  lines.set(trial, line)
  trial.settings.DATABASE_URL = line.url
  trial.undo.push(() => line.cut())
}

const endSessions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = '{own}' AND application_name LIKE 'rookery%' AND pid <> pg_backend_pid()`

/** A role that owns nothing, and may use everything. */
async function asOrdinaryRole(trial: Trial) {
  const role = `${trial.database.name}_role`
  await trial.sql(
    `CREATE ROLE ${role}`,
    `GRANT ALL ON SCHEMA public TO ${role}`,
    `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`,
    `GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}`,
  )
  const { url } = trial.database
  trial.settings.DATABASE_URL = `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(`-c role=${role}`)}`
  trial.undo.push(() => trial.sql(`DROP OWNED BY ${role}`, `DROP ROLE ${role}`))
}

function withUser(url: string, user: string): string {
  return url.replace(/^(\w+:\/\/)[^@/]*@/, `$1${user}@`)
}

/** A real PgBouncer, each transaction of which gets another session. */
async function throughPgBouncer(trial: Trial) {
  // The server runs as another user, who may not enter the directory of the socket.
  const line = await Line.to(trial.database.url)
  trial.undo.push(() => line.cut())
  const { host, port, user, database } = new pg.Client({ connectionString: line.url })
  const directory = mkdtempSync(join(tmpdir(), 'rookery-bouncer-'))
  chmodSync(directory, 0o755)
  const own = await freePort()
  writeFileSync(join(directory, 'users'), `"${user}" ""\n`)
  writeFileSync(
    join(directory, 'settings'),
    `[databases]\n${database} = host=${host} port=${port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =\nauth_type = trust\nauth_file = ${directory}/users\npool_mode = transaction\n`,
  )
  const child = spawn('pgbouncer', ['-u', 'nobody', join(directory, 'settings')], { stdio: 'ignore' })
  await once(child, 'spawn') // throws where the machine has none
  trial.undo.push(() => {
    child.kill('SIGKILL')
    rmSync(directory, { recursive: true })
  })
  for (let isUp = false; !isUp; ) {
    const socket = createConnection(own, '127.0.0.1')
    isUp = await once(socket, 'connect').then(
      () => true,
      () => sleep(100).then(() => false),
    )
    socket.destroy()
  }
  trial.settings.DATABASE_URL = `postgres://${user}@127.0.0.1:${own}/${database}`
}

/** The database is reached, and does not do what it must. */
export const databaseFaults: Fault[] = [
  {
    name: 'The database is down',
    before: reachOverLine,
    cause: (trial) => lines.get(trial)!.cut(),
    meet: (trial) => trial.send(),
    expected: {
      ready: /503: database/,
      metrics: /database"} rises.*absent/,
      log: /The database failed: .*ECONNREFUSED/,
      doctor: /FAIL The database cannot be reached: .*ECONNREFUSED/,
    },
  },
  {
    name: 'The database hangs, or the network loses everything',
    before: reachOverLine,
    cause: (trial) => lines.get(trial)!.freeze(),
    meet: (trial) => trial.send(),
    expected: {
      ready: /503: database/,
      metrics: /database"} rises/,
      log: /The database failed/,
      doctor: /FAIL .*timeout expired/,
    },
  },
  {
    name: 'The database takes no changes (a standby)',
    cause: (trial) => trial.sql('ALTER DATABASE {own} SET default_transaction_read_only = on', endSessions),
    meet: (trial) => trial.send(),
    expected: {
      ready: /503: database/,
      metrics: /database"} 0/,
      log: /25006|takes no changes/,
      doctor: /read/i,
    },
  },
  {
    name: 'The database takes no connections',
    cause: async (trial) => {
      const url = trial.database.url.replace(`/${trial.database.name}`, '/postgres')
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => {})
      await client.connect()
      await client.query(`ALTER DATABASE ${trial.database.name} ALLOW_CONNECTIONS false`)
      await client.query(endSessions.replace('{own}', trial.database.name))
      trial.undo.push(async () => {
        await client.query(`ALTER DATABASE ${trial.database.name} ALLOW_CONNECTIONS true`)
        await client.end()
      })
    },
    meet: (trial) => trial.send(),
    expected: {
      ready: /503: database/,
      log: /not currently accepting connections/,
      doctor: /FAIL .*accepting/,
    },
  },
  {
    name: 'A lock in the database is held by another session',
    cause: async (trial) => {
      const client = new pg.Client({ connectionString: trial.database.url })
      await client.connect()
      await client.query('BEGIN')
      await client.query('SELECT FROM realm_head FOR UPDATE')
      trial.undo.push(() => client.end())
    },
    meet: (trial) => trial.send(),
    metrics: /http_requests_total\{operation="POST \/messages",status="503"\}/,
    expected: { metrics: /503/, log: /database/, doctor: /FAIL .*waits? for a lock/ },
  },
  {
    name: 'The role of the server lost its rights',
    before: asOrdinaryRole,
    cause: (trial) => trial.sql(`REVOKE ALL ON message, realm_head FROM ${trial.database.name}_role`),
    meet: (trial) => trial.send(),
    expected: { metrics: /database"} rises/, log: /permission denied/, doctor: /FAIL .*may not use/ },
  },
  {
    name: 'A table is missing (a restore that broke off)',
    cause: (trial) => trial.sql('ALTER TABLE draft RENAME TO draft_away'),
    meet: (trial) => trial.ask('GET', '/drafts'),
    expected: {
      metrics: /database"} rises/,
      log: /relation "draft" does not exist/,
      doctor: /FAIL the database lacks tables/,
    },
  },
  {
    name: 'An older copy of the database was put back under the running server',
    cause: async (trial) => {
      for (let i = 0; i < 3; i++) await trial.send()
      await trial.sql(
        'DELETE FROM event_log WHERE id = (SELECT max(id) FROM event_log)',
        'UPDATE realm_head SET last_event_id = e.id, stamp = e.stamp FROM (SELECT * FROM event_log ORDER BY id DESC LIMIT 1) AS e',
      )
    },
    meet: (trial) => trial.send(),
    expected: { log: /gone back in time/ },
  },
  {
    name: 'DATABASE_URL leads to PgBouncer in transaction mode',
    before: throughPgBouncer,
    expected: { ready: /no response/, log: /connection pooler/, doctor: /FAIL .*connection pooler/ },
  },
  {
    name: 'DATABASE_URL names a database that is not there',
    before: (trial) => {
      trial.settings.DATABASE_URL = trial.database.url.replace(
        trial.database.name,
        `${trial.database.name}_away`,
      )
    },
    expected: { ready: /no response/, log: /does not exist/, doctor: /FAIL .*does not exist/ },
  },
  {
    name: 'DATABASE_URL names a user whom the database does not know',
    before: (trial) => {
      trial.settings.DATABASE_URL = withUser(trial.database.url, 'stranger')
    },
    expected: { ready: /no response/, log: /stranger/, doctor: /FAIL .*stranger/ },
  },
  {
    name: 'The database is newer than the program',
    before: (trial) => trial.sql("INSERT INTO migration VALUES ('9999_from_the_future.sql')"),
    expected: { ready: /no response/, log: /newer/, doctor: /FAIL .*newer/ },
  },
  {
    name: 'The database is not in UTF-8',
    before: async (trial) => {
      const url = trial.database.url.replace(`/${trial.database.name}`, '/postgres')
      const [client, name] = [new pg.Client({ connectionString: url }), `${trial.database.name}_latin`]
      await client.connect()
      await client.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
      trial.settings.DATABASE_URL = trial.database.url.replace(trial.database.name, name)
      trial.undo.push(async () => {
        await client.query(`DROP DATABASE ${name} WITH (FORCE)`)
        await client.end()
      })
    },
    expected: { ready: /no response/, log: /LATIN1/, doctor: /FAIL .*LATIN1/ },
  },
]
