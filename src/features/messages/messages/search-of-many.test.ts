import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Organization } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'
import { messagingLimits } from '../kernel/messages/limits.ts'

const server = testServer()
const rooks = [{ operator: 'search', operand: 'rook' }]

test('a search finds what is next to its anchor, then what is far from it, of what the reader may read', async () => {
  const org = await server.organization()
  const reader = await org.person()
  const readable = await org.channel({ subscribers: [reader, org.owner] })
  const hidden = await org.channel({ isPrivate: true, subscribers: [org.owner] })
  const send = async (owner: Person, content: string, { id: to } = readable): Promise<number> =>
    (await owner.post('/messages', { type: 'channel', to, topic: 'x', content })).body.id
  const first = await send(org.owner, 'first rook')
  const oldCastle = await send(org.owner, 'old castle')
  const second = await send(org.owner, 'second rook')
  await send(org.owner, 'hidden rook', hidden)
  const node = await nodeAfterManyIds(org)
  const [owner, there] = [org.owner.at(node), reader.at(node)]
  const third = await send(owner, 'third rook')
  const newCastle = await send(owner, 'new castle')
  const fourth = await send(owner, 'fourth rook')
  await send(owner, 'hidden rook', hidden)
  expect(third).toBeGreaterThan(second + messagingLimits.searchedInOneWay)

  const around = (anchor: number | string, num_before: number, num_after: number) =>
    idsFound(there, { anchor, num_before, num_after })
  expect(await around('newest', 2, 0)).toEqual([third, fourth])
  expect(await around('newest', 3, 0)).toEqual([second, third, fourth])
  expect(await around('newest', 9, 0)).toEqual([first, second, third, fourth])
  expect(await around('oldest', 0, 2)).toEqual([first, second])
  expect(await around('oldest', 0, 3)).toEqual([first, second, third])
  expect(await around(oldCastle, 9, 9)).toEqual([first, second, third, fourth])
  expect(await around(newCastle, 2, 1)).toEqual([second, third, fourth])
  const { body } = await there.post('/messages/flags/narrow', {
    anchor: 'newest',
    num_before: 3,
    num_after: 0,
    narrow: rooks,
    op: 'add',
    flag: 'starred',
  })
  expect(body).toMatchObject({ processed_count: 3, first_processed_id: second, last_processed_id: fourth })
})

/** Leaves out more ids than a search expects to look through, and returns a node that knows of it. */
async function nodeAfterManyIds(org: Organization) {
  const { db } = server.node.app.realms.connections
  await sql`UPDATE realm_head SET last_message_id = last_message_id + ${2 * messagingLimits.searchedInOneWay}
    WHERE realm_id = ${org.id}`.execute(db)
  return server.anotherNode()
}

async function idsFound(reader: Person, page: object): Promise<number[]> {
  const { body } = await reader.get('/messages', { ...page, narrow: rooks })
  return body.messages.map((message: { id: number }) => message.id)
}
