import pg from 'pg'
import { expect, test } from 'vitest'
import { newDatabase } from '../../test/runner/database.ts'
import { migrate, migrations } from './migrate.ts'

test('nodes that start together migrate a database once', async () => {
  const database = await newDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  const applied = await Promise.all([1, 2, 3].map(() => migrate(database.url)))
  expect(applied.flat()).toEqual(await migrations())
  const { rows } = await client.query('SELECT FROM pg_index WHERE NOT indisvalid')
  expect(rows).toEqual([])
  await client.end()
  await database.drop()
})
