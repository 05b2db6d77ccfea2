import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedServer } from '../../test/test-server.ts'
import { logLimits } from './limits.ts'
import { loadRealm } from './load.ts'

const { organization } = sharedServer()

test('an organization with more rows than one query reads is loaded whole', async () => {
  const { id, log } = await organization()
  const { read, db } = log.database
  const users = 150
  const channels = Math.ceil((logLimits.rowsPerRead + 2.1 * logLimits.rowsPerColumnRead) / users)
  // The first ones of them differ in little, as the others are read by columns that these suggest.
  // Nobody has to hear of them: they are written past the log.
  await sql`INSERT INTO subscription (realm_id, user_id, channel_id, received, color, is_muted, email_notifications)
    SELECT ${id}, u, c, CASE WHEN c % 3 = 0 THEN jsonb_build_array(ARRAY[1, u], ARRAY[c + u, null]) ELSE '[[1, null]]' END,
      '#76ce9' || c % 7, u > 75 AND u % 4 = 0, CASE WHEN u > 75 AND c % 5 = 0 THEN c % 2 = 0 END
    FROM generate_series(1, ${sql.lit(users)}) AS u, generate_series(1, ${sql.lit(channels)}) AS c ORDER BY random()`.execute(
    db,
  )
  const state = await loadRealm(read, id, () => 0)
  expect(state.subscriptions.size).toBe(users * channels)
  expect(state.subscriptionsOfUser(1).size).toBe(channels)
  expect(state.subscriptionsOfChannel(channels).size).toBe(users)
  const stored = await read.rows<object>(
    sql`SELECT * FROM subscription WHERE realm_id = ${id} ORDER BY user_id, channel_id`,
  )
  expect([...state.subscriptions.values()]).toEqual(stored)
})

test('lists of numbers and settings, which may be missing, are loaded from a large table as well', async () => {
  const { id, log } = await organization()
  const { read, db } = log.database
  const rows = logLimits.rowsPerRead + 1_000
  await sql`INSERT INTO recipient (realm_id, user_ids)
    SELECT ${id}, (ARRAY[n, n + 1, n + 2])[: 1 + n % 3] FROM generate_series(1, ${sql.lit(rows)}) AS n`.execute(
    db,
  )
  await sql`INSERT INTO account (realm_id, delivery_email, full_name, role, created_at, settings, bot_owner_id)
    SELECT ${id}, 'user' || n || '@example.com', 'User ' || n, 400, n,
      CASE n % 3 WHEN 0 THEN '{}' WHEN 1 THEN '{"default_language": "de"}' ELSE jsonb_build_object('color_scheme', n) END,
      CASE WHEN n % 10 = 0 THEN n END
    FROM generate_series(1, ${sql.lit(rows)}) AS n`.execute(db)
  const state = await loadRealm(read, id, () => 0)
  for (const [table, held] of [
    ['recipient', state.recipients],
    ['account', state.users],
  ] as const) {
    const stored = await read.rows<object>(
      sql`SELECT * FROM ${sql.table(table)} WHERE realm_id = ${id} ORDER BY id`,
    )
    expect([...held.values()]).toEqual(stored)
  }
})
