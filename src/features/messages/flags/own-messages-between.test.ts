import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testServer } from '../../../../test/test-server.ts'
import { flagLimits } from '../../kernel/flags/limits.ts'

const server = testServer()
const { ownMessagesPassed } = flagLimits

/** Two people, and a direct conversation between them. */
async function conversation() {
  const org = await server.organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const send = async (from: 'anna' | 'ben'): Promise<number> => {
    const [sender, to] = from === 'anna' ? [anna, ben] : [ben, anna]
    const message = { type: 'direct', to: [to.id], content: 'hello', read_by_sender: true }
    return (await sender.post('/messages', message)).body.id
  }
  const mark = (op: 'add' | 'remove', ...messages: number[]) =>
    anna.post('/messages/flags', { op, flag: 'read', messages })
  const unread = async () => {
    const { body } = await anna.post('/register', { event_types: ['message', 'update_message_flags'] })
    return body.unread_msgs.pms.flatMap((one: { unread_message_ids: number[] }) => one.unread_message_ids)
  }
  /** In how many ranges of ids it is stored what Anna has read. */
  const ranges = async () => {
    const [row] = await server.node.app.realms.connections.read.rows(sql<{ count: number }>`
      SELECT count(*) AS count FROM read_state, unnest(read) WHERE realm_id = ${org.id} AND user_id = ${anna.id}`)
    return row?.count
  }
  return { send, mark, unread, ranges }
}

test('own messages do not divide what a user has read', async () => {
  const { send, mark, unread, ranges } = await conversation()
  const others: number[] = []
  for (let i = 0; i < 4; i++) {
    const other = await send('ben')
    await mark('add', other)
    await send('anna')
    await send('anna')
    others.push(other)
  }
  expect(await ranges()).toBe(1)
  const last = await Promise.all([send('ben'), send('anna'), send('ben')])
  expect(await unread()).toEqual([last[0], last[2]].sort((a, b) => a! - b!))
  await mark('add', last[0]!, last[2]!)
  expect([await unread(), await ranges()]).toEqual([[], 1])
  await mark('remove', others[2]!)
  expect([await unread(), await ranges()]).toEqual([[others[2]], 2])
})

test('an own message that was marked as unread stays unread when those around it are read', async () => {
  const { send, mark, unread } = await conversation()
  const [first, own, last] = [await send('ben'), await send('anna'), await send('ben')]
  await mark('remove', own)
  await mark('add', last)
  await mark('add', first)
  expect(await unread()).toEqual([own])
  await mark('add', own)
  expect(await unread()).toEqual([])
})

test('of very many own messages in a row, the last ones are joined with what is read after them', async () => {
  const { send, mark, unread, ranges } = await conversation()
  await mark('add', await send('ben'))
  for (let i = 0; i < ownMessagesPassed; i++) await send('anna')
  const between = await send('ben')
  await mark('add', between)
  expect([await unread(), await ranges()]).toEqual([[], 1])
  for (let i = 0; i <= ownMessagesPassed; i++) await send('anna')
  await mark('add', await send('ben'))
  expect([await unread(), await ranges()]).toEqual([[], 2])
})
