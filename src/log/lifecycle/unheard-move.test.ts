import { expect, test } from 'vitest'
import { anotherLog } from '../../../test/another-log.ts'
import { contentsOf, sender } from '../../../test/messages.ts'
import { severalDatabases } from '../../../test/processes/several-databases.ts'
import { SecondLooks } from '../../http/callers/second-look.ts'

const { all, move, connectionsTo, headsIn } = severalDatabases()

test('a node that hears of a message before it hears of the move shows it wherever it shows messages', async () => {
  const org = await all.organization()
  const ben = (await org.person({ name: 'Ben' })).at(await all.anotherNode())
  const channel = await org.channel({ subscribers: [org.owner, ben] })
  const send = sender(org.owner, channel)
  await send('a', 'before')
  const client = await ben.register({ event_types: ['message'] })
  await move(org, 'second', false)
  await send('a', 'after')
  expect((await client.next()).map(({ message }) => message.content)).toEqual(['<p>after</p>'])
  expect(await contentsOf(ben, channel)).toEqual([
    ['a', 'before'],
    ['a', 'after'],
  ])
})

test('a node that finds out about a move before it refuses a request looks again', async () => {
  const { id } = await all.organization()
  const log = await anotherLog(all.node.app.realms.databases, id)
  const looks = new SecondLooks()
  expect(await looks.hasNews(log, 'someone', log.readUpTo)).toBe(false)
  const since = log.readUpTo
  await move({ id }, 'second', false)
  expect(await looks.hasNews(log, 'someone', since)).toBe(true)
})

test('a node whose directory has lost the decision, by a failover, finds the organization where it was written since', async () => {
  const org = await all.organization()
  const channel = await org.channel({ subscribers: [org.owner] })
  await move(org, 'second')
  const send = sender(org.owner, channel)
  await send('a', 'written there')
  await connectionsTo('main').pool.query(
    `UPDATE realm_place SET database = 'main', moving_to = 'second' WHERE realm_id = $1`,
    [org.id],
  )
  await anotherLog(all.node.app.realms.databases, org.id)
  const owner = org.owner.at(await all.anotherNode())
  expect(await contentsOf(owner, channel)).toEqual([['a', 'written there']])
  await sender(owner, channel)('a', 'and here')
  expect([await headsIn('main', org), await headsIn('second', org)]).toEqual([0, 1])
  expect(await contentsOf(org.owner, channel)).toHaveLength(2)
})
