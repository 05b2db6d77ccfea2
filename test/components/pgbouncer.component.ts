import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../src/lib/network/free-port.ts'
import { newDirectory, rookery, startServer } from '../command-line.ts'
import { newDatabase } from '../runner/database.ts'
import { directoryFor, startProgram } from './real-program.ts'

// PgBouncer before the database: served in session mode, refused in transaction mode.

const pgbouncer = process.env.TEST_PGBOUNCER!
const place = directoryFor('pgbouncer')
const database = await newDatabase()
const stops: (() => Promise<void>)[] = [() => database.drop()]

/** Returns the address of the database through a pooler. */
async function through(mode: string): Promise<string> {
  const port = await freePort()
  const { user, host, port: of, password, database: name } = new pg.Client({ connectionString: database.url })
  const users = place.write(`${mode}.users`, `"${user}" "${password ?? ''}"\n`)
  const configuration = place.write(
    `${mode}.ini`,
    `[databases]
rookery = host=${host} port=${of} dbname=${name} user=${user}${password ? ` password=${password}` : ''}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 30
`,
  )
  // PgBouncer refuses to run as root.
  const words = process.geteuid?.() === 0 ? ['-u', 'nobody', configuration] : [configuration]
  const running = await startProgram([pgbouncer, ...words], port)
  stops.unshift(() => running.stop())
  return `postgresql://${user}@127.0.0.1:${port}/rookery`
}

let urls: { session: string; transaction: string }
beforeAll(async () => {
  urls = { session: await through('session'), transaction: await through('transaction') }
})
afterAll(async () => {
  for (const stop of stops) await stop()
  place.remove()
})

test('in session mode the server starts, and doctor finds nothing wrong with the database', async () => {
  const server = await startServer({ DATABASE_URL: urls.session, ROOKERY_DATA: await newDirectory() })
  const { stdout } = await rookery('doctor', server.environment)
  expect(stdout).toContain('ok    no pooler shares out the sessions')
  expect(stdout).not.toMatch(/^FAIL.*(pool|database)/m)
  await server.stop('SIGTERM')
})

test('in transaction mode the start is refused in one sentence', async () => {
  const environment = { DATABASE_URL: urls.transaction, ROOKERY_DATA: await newDirectory() }
  const { status, stderr } = await rookery('serve', environment)
  expect(status).toBe(1)
  expect(stderr).toMatch(/^DATABASE_URL leads to a connection pooler .*session mode/)
})
