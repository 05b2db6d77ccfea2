import { expect, test } from 'vitest'
import { anotherLog } from '../../test/another-log.ts'
import { contentsOf, sender } from '../../test/messages.ts'
import { severalDatabases } from '../../test/several-databases.ts'
import { SecondLooks } from '../http/second-look.ts'

const { all, move } = severalDatabases()

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
  expect(await looks.hasNews(log, 'someone', log.moment)).toBe(false)
  const since = log.moment
  await move({ id }, 'second', false)
  expect(await looks.hasNews(log, 'someone', since)).toBe(true)
})
