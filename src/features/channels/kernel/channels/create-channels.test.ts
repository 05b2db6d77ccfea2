import pg from 'pg'
import { expect, test } from 'vitest'
import { untilOneWaitsFor } from '../../../../../test/on-database.ts'
import { testServer } from '../../../../../test/test-server.ts'

const server = testServer()

test('channels that are created while an import raises their numbers get numbers of their own', async () => {
  const { owner } = await server.organization()
  const create = (name: string) => owner.post('/users/me/subscriptions', { subscriptions: [{ name }] })
  await create('before it')
  const raising = new pg.Client({ connectionString: server.databaseUrl })
  await raising.connect()
  try {
    // As raiseSequences does in one statement: a sequence that is far enough stays where it was when that was read.
    await raising.query('BEGIN; LOCK TABLE channel IN SHARE ROW EXCLUSIVE MODE')
    const [own] = (await raising.query("SELECT pg_get_serial_sequence('channel', 'id') AS sequence")).rows
    const { rows } = await raising.query(`SELECT last_value FROM ${own.sequence}`)
    const created = create('while it is raised')
    await untilOneWaitsFor('channel', raising)
    await raising.query('SELECT setval($1::regclass, $2, true)', [own.sequence, rows[0].last_value])
    await raising.query('COMMIT')
    expect((await created).body).toMatchObject({ result: 'success' })
  } finally {
    await raising.end()
  }
  expect((await create('after it')).body).toMatchObject({ result: 'success' })
})
