import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newDatabase } from '../../test/runner/database.ts'
import { type Connections, connect } from './database.ts'

// Each way to a connection alone: what a short command has used is all that there is to close.
test.each<[what: string, use: (connections: Connections) => Promise<unknown>]>([
  ['nothing', async () => {}],
  ['the pool that writes', ({ pool }) => pool.query('SELECT 1')],
  ['transactions', ({ db }) => sql`SELECT 1`.execute(db)],
  ['what is read', ({ read }) => read.rows(sql`SELECT 1`)],
  ['what is prepared', ({ read }) => read.prepared('one', sql`SELECT 1`)],
  ['a snapshot', ({ read }) => read.snapshot((moment) => moment.rows(sql`SELECT 1`))],
])('no connection stays open when all are closed: %s', async (_, use) => {
  const { url, name, drop } = await newDatabase()
  const [connections, watcher] = [connect(url, 2), connect(url, 1)]
  const watch = () =>
    watcher.read.rows<{ pid: number }>(sql`
      SELECT pid FROM pg_stat_activity WHERE datname = ${name} AND pid <> pg_backend_pid()`)
  await use(connections)
  await connections.close()
  await expect.poll(watch).toEqual([])
  await watcher.close()
  await drop()
})
