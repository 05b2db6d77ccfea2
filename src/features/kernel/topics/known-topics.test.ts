import { afterAll, beforeAll, expect, test } from 'vitest'
import { sender } from '../../../../test/messages.ts'
import { newOrganization } from '../../../../test/organization.ts'
import { DatabaseLine } from '../../../../test/programs/database-line.ts'
import { newDatabase } from '../../../../test/runner/database.ts'
import { type Node, startNode } from '../../../../test/test-server.ts'

let database: Awaited<ReturnType<typeof newDatabase>>
let line: DatabaseLine
let node: Node | undefined

beforeAll(async () => {
  database = await newDatabase()
  line = await DatabaseLine.to(database.url)
  node = await startNode(line.url)
})

afterAll(async () => {
  await node?.close()
  await line?.close()
  await database?.drop()
})

test('a node looks once whether a topic has messages, and again after one was taken away', async () => {
  const org = await newOrganization(node!, '')
  const channel = await org.channel({ subscribers: [org.owner] })
  const send = sender(org.owner, channel)
  const lookUps = async (topics: string[]) => {
    const count = line.counter('SELECT 1 AS one FROM message')
    for (const topic of topics) await send(topic, 'hello')
    return count()
  }
  // The first message finds none: what is not there, another node may have the moment after.
  await send('plans', 'hello')
  expect(await lookUps(['plans', 'PLANS', 'plans'])).toBe(1)
  const last = await send('plans', 'bye')
  await org.owner.delete(`/messages/${last}`)
  expect(await lookUps(['plans', 'plans'])).toBe(1)
})

test('a user who begins a topic again that was emptied follows it', async () => {
  const org = await newOrganization(node!, 'emptied')
  const channel = await org.channel({ subscribers: [org.owner] })
  const send = sender(org.owner, channel)
  await org.owner.patch('/settings', { automatically_follow_topics_policy: 3 })
  const begin = await send('plans', 'hello')
  const more = await send('plans', 'more')
  const place = { stream_id: channel.id, topic: 'plans' }
  await org.owner.post('/user_topics', { ...place, visibility_policy: 0 })
  const followed = async () => {
    const { body } = await org.owner.post('/register', { fetch_event_types: ['user_topic'] })
    return body.user_topics.map((one: { topic_name: string }) => one.topic_name)
  }
  await send('plans', 'and more')
  expect(await followed()).toEqual([])
  for (const id of [begin, more]) await org.owner.delete(`/messages/${id}`)
  await org.owner.post(`/streams/${channel.id}/delete_topic`, { topic_name: 'plans' })
  await send('plans', 'once more')
  expect(await followed()).toEqual(['plans'])
})
