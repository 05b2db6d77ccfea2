import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { templateUrl } from '../../test/runner/database.ts'
import { sqlCompiler } from '../../test/sql-compiler.ts'
import { conditionToSql } from './sql.ts'
import { pairsQuery, runsOf } from './unspaced.ts'

let client: pg.Client

beforeAll(async () => {
  client = new pg.Client({ connectionString: templateUrl() })
  await client.connect()
})
afterAll(() => client.end())

/** The first and the last character of each range. */
const edges = [...'\u0E01\u0E4F\u1000\u109F\u1780\u17DD々〇ぁゖ゙ゟァヺーヿㄅㄯㇰㇿ㐀䶿一鿿가힣豈龎ｦﾟ𠀀𲎯']

test.each(edges)('the index has what a search for %s looks for', async (character) => {
  expect(runsOf(`a${character}b`)).toEqual([character])
  for (const text of [character, `${character}${character}`]) {
    const { rows } = await client.query('SELECT unspaced_pairs($1, $2) @@ $3::tsquery AS is_found', [
      'topic',
      `x${text}y`,
      pairsQuery(runsOf(text)),
    ])
    expect(rows).toEqual([{ is_found: true }])
  }
})

test('a search uses the index', async () => {
  const condition = conditionToSql({ kind: 'words', search: '会議室' })
  const { sql, parameters } = condition.compile(sqlCompiler)
  await client.query('SET enable_seqscan = off')
  const { rows } = await client.query(`EXPLAIN SELECT m.id FROM message m WHERE ${sql}`, [...parameters])
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Bitmap Index Scan on message_unspaced')
})
