import { expect, test } from 'vitest'
import { holdFirstWrite, holdWrites } from '../../../../test/held-writes.ts'
import { contentsOf } from '../../../../test/messages.ts'
import { onDatabase } from '../../../../test/on-database.ts'
import { testServer } from '../../../../test/test-server.ts'
import { scheduledLimits } from './limits.ts'

const server = testServer({ queueIdleSeconds: 1_000_000 })

let ahead = 0

async function scheduled() {
  const org = await server.organization()
  const anna = await org.person()
  const [one, two] = [await org.channel({ subscribers: [anna] }), await org.channel({ subscribers: [anna] })]
  const message = { type: 'channel', to: one.id, topic: 'a', content: 'old' }
  const scheduled_delivery_timestamp = Math.floor(Date.now() / 1000) + ahead + 3_600
  const { body } = await anna.post('/scheduled_messages', { ...message, scheduled_delivery_timestamp })
  return { org, anna, one, two, path: `/scheduled_messages/${body.scheduled_message_id}` }
}

test('a new topic leaves a message in the channel to which another client has just addressed it', async () => {
  const { org, anna, two, path } = await scheduled()
  const client = await anna.register()
  const there = anna.at({ ...anna.place, port: (await server.anotherNode()).port })
  const held = holdFirstWrite(org.log)
  const renamed = anna.patch(path, { topic: 'b' })
  await held.begun
  const addressed = await there.patch(path, { type: 'channel', to: two.id, topic: 'a' })
  held.release()
  for (const { status } of [addressed, await renamed]) expect(status).toBe(200)
  const { scheduled_messages } = (await anna.get('/scheduled_messages')).body
  expect(scheduled_messages).toMatchObject([{ to: two.id, topic: 'b' }])
  await client.expectStateToMatch()
})

test.each([
  ['changed', { 200: ['new'], 404: ['old'] }],
  ['deleted', { 200: [], 404: ['old'] }],
])('a message that is %s when it is due is sent as it was then, or not any more', async (what, sent) => {
  for (let tries = 0; tries < 5; tries++) {
    const { anna, one, path } = await scheduled()
    const client = await anna.register()
    ahead += 3_601
    server.pass(3_601)
    const change = what === 'changed' ? anna.patch(path, { content: 'new' }) : anna.delete(path)
    const [{ status }] = await Promise.all([change, server.workOff()])
    await server.workOff()
    const contents = (await contentsOf(anna, one)).map(([, content]) => content)
    expect(contents).toEqual(sent[status as 200 | 404])
    expect((await anna.get('/scheduled_messages')).body.scheduled_messages).toEqual([])
    await client.expectStateToMatch()
  }
})

test('a message that is due while its organization is deactivated is sent when that is back', async () => {
  const { org, anna, one } = await scheduled()
  ahead += 3_601
  const held = await holdWrites(org.log)
  await held.add(() => org.owner.post('/realm/deactivate'))
  server.pass(3_601)
  const working = server.workOff()
  await held.release()
  await working
  const sent = `SELECT FROM message WHERE realm_id = ${org.id} AND content = 'old'`
  expect(await onDatabase(server.databaseUrl, sent)).toEqual([])
  await org.log.commit((change) => change.update('realm', { id: org.id, is_deactivated: false }))
  server.pass(60)
  ahead += 60
  await server.workOff()
  expect((await anna.get('/scheduled_messages')).body.scheduled_messages).toEqual([])
  expect((await contentsOf(anna, one)).map(([, content]) => content)).toEqual(['old'])
})

test('a message that the server can send only long after its time is kept, and its writer is told', async () => {
  const { anna, one, path } = await scheduled()
  const late = 3_600 + scheduledLimits.lateSeconds + 1
  const client = await anna.register({ event_types: ['scheduled_messages', 'message'] })
  ahead += late
  server.pass(late)
  await server.workOff()
  expect(await client.events()).toMatchObject([
    { type: 'scheduled_messages', op: 'update', scheduled_message: { content: 'old', failed: true } },
    { type: 'message', message: { content: expect.stringContaining('10 minutes late') } },
  ])
  expect(await contentsOf(anna, one)).toEqual([])
  const inAMinute = Math.floor(Date.now() / 1000) + ahead + 60
  await anna.patch(path, { scheduled_delivery_timestamp: inAMinute })
  ahead += 61
  server.pass(61)
  await server.workOff()
  expect((await contentsOf(anna, one)).map(([, content]) => content)).toEqual(['old'])
  await client.expectStateToMatch()
})

test('a message that is a few minutes late is sent', async () => {
  const { anna, one } = await scheduled()
  const late = 3_600 + scheduledLimits.lateSeconds - 60
  ahead += late
  server.pass(late)
  await server.workOff()
  expect((await contentsOf(anna, one)).map(([, content]) => content)).toEqual(['old'])
})
