import pg from 'pg'
import { expect, test } from 'vitest'
import { untilOneWaitsFor } from '../../../../../test/on-database.ts'
import { testServer } from '../../../../../test/test-server.ts'

const server = testServer()

test('a search that loses messages while it reads them takes older ones, and does not end there', async () => {
  const org = await server.organization()
  const { id: to } = await org.channel({ subscribers: [org.owner] })
  const ids: number[] = []
  for (const content of ['one rook', 'two rooks', 'three rooks', 'four rooks', 'five rooks']) {
    ids.push((await org.owner.post('/messages', { type: 'channel', to, topic: 'x', content })).body.id)
  }
  const other = new pg.Client({ connectionString: server.databaseUrl })
  await other.connect()
  try {
    await other.query('BEGIN; LOCK TABLE submessage')
    const narrow = [{ operator: 'search', operand: 'rook' }]
    const searching = org.owner.get('/messages', { anchor: 'newest', num_before: 2, num_after: 0, narrow })
    await untilOneWaitsFor('submessage', other)
    await other.query('DELETE FROM message WHERE id = ANY($1)', [ids.slice(3)])
    await other.query('COMMIT')
    const { body } = await searching
    expect(body.messages.map((message: { id: number }) => message.id)).toEqual(ids.slice(1, 3))
    expect(body.found_oldest).toBe(false)
  } finally {
    await other.end()
  }
})
