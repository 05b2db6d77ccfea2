import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'
import { sentNames } from '../messages/columns.ts'
import { flagLimits } from './limits.ts'
import { readRecent } from './read-recent-messages.ts'

const { organization, anotherNode } = testServer()

test('an own message that its sender marks as unread is so, also where messages are in memory', async () => {
  const org = await organization()
  const ann = await org.person()
  const channel = await org.channel({ subscribers: [ann] })
  const to = { type: 'channel', to: channel.id, topic: 'lunch', content: 'hello' }
  const { id } = (await ann.post('/messages', { ...to, read_by_sender: true })).body
  const unread = async () => (await ann.register()).state.unread_msgs.count
  org.state.recent.want()
  expect(await unread()).toBe(0)
  expect(org.state.recent.use.messages).toBe(1)
  await ann.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' })
  expect(await unread()).toBe(1)
})

test('of more unread messages than a client gets, the newest are listed, wherever they come from', async () => {
  const org = await organization()
  const other = await anotherNode()
  const [ann, ben] = [await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [ann, ben] })
  const { id } = (await ann.post('/messages', { type: 'channel', to: channel.id, topic: 'a', content: 'b' }))
    .body
  const most = flagLimits.unreadMessages
  const columns = sql.raw(`${sentNames}, sent_at, realm_id`)
  await org.log.commit(async (change) => {
    await change.run(sql`
      INSERT INTO message (id, ${columns}) SELECT id + n, ${columns} FROM message, generate_series(1, ${most}) AS n
      WHERE realm_id = ${org.id} AND id = ${id}`)
    await change.run(sql`
      UPDATE realm_head SET last_message_id = last_message_id + ${most} WHERE realm_id = ${org.id}`)
  })
  const there = new Person({ ...ben.place, port: other.port }, ben)
  const unreadOf = async (person: Person) => (await person.register()).state.unread_msgs
  const database = await unreadOf(there)
  expect(database).toMatchObject({ count: most, old_unreads_missing: true })
  expect(database.streams[0].unread_message_ids[0]).toBe(id + 1)
  for (const messages of [30_000, 100_000]) {
    await readRecent(org.log.database.read, org.state, { messages, portion: 20_000 })
    expect(await unreadOf(ben)).toEqual(database)
  }
})
