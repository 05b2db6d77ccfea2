import { expect, test } from 'vitest'
import { EventStream } from '../../../../test/event-stream.ts'
import type { Organization } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

async function streamOf(who: Person) {
  const { queueId, state } = await who.register({ event_types: ['message'] })
  const stream = new EventStream(who, queueId, { lastEventId: state.last_event_id })
  await expect.poll(() => stream.text).not.toBe('')
  return stream
}

const say = (org: Organization, content: string, to: number[]) =>
  org.owner.post('/messages', { type: 'direct', to, content })

async function withSecondKey(org: Organization) {
  const anna = await org.person()
  const { body } = await anna.get('/rookery/keys')
  return { anna, keyId: body.keys[0].id as number }
}

test('a stream of events sends nothing more once its key has ended', async () => {
  const org = await organization()
  const { anna, keyId } = await withSecondKey(org)
  const stream = await streamOf(anna)
  await say(org, 'before', [anna.id])
  await expect.poll(() => stream.text).toContain('before')
  expect((await anna.delete(`/rookery/keys/${keyId}`)).body.result).toBe('success')
  await say(org, 'afterwards', [anna.id])
  await expect.poll(() => stream.isOver).toBe(true)
  expect(stream.text).not.toContain('afterwards')
})

test('nor once its user was deactivated, even after reactivation', async () => {
  const org = await organization()
  const anna = await org.person()
  const stream = await streamOf(anna)
  expect((await org.owner.delete(`/users/${anna.id}`)).status).toBe(200)
  expect((await org.owner.post(`/users/${anna.id}/reactivate`)).status).toBe(200)
  await say(org, 'afterwards', [anna.id])
  await expect.poll(() => stream.isOver).toBe(true)
  expect(stream.text).not.toContain('afterwards')
})

test('clients that wait learn immediately that their user was deactivated', async () => {
  const org = await organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const [stream, other] = [await streamOf(anna), await streamOf(ben)]
  const { queueId, state } = await anna.register({ event_types: ['message'] })
  const polling = anna.get('/events', { queue_id: queueId, last_event_id: state.last_event_id })
  await expect.poll(() => stream.text).toContain(': up to date')
  await org.owner.delete(`/users/${anna.id}`)
  await expect.poll(() => stream.isOver).toBe(true)
  expect(await polling).toMatchObject({ status: 401, body: { msg: 'Account is deactivated' } })
  expect(other.isOver).toBe(false)
})

test('clients that wait learn immediately that their key has ended, and those of other keys wait on', async () => {
  const org = await organization()
  const [{ anna, keyId }, ben] = [await withSecondKey(org), await org.person()]
  const [stream, other] = [await streamOf(anna), await streamOf(ben)]
  const { queueId, state } = await anna.register({ event_types: ['message'] })
  const polling = anna.get('/events', { queue_id: queueId, last_event_id: state.last_event_id })
  await expect.poll(() => stream.text).toContain(': up to date')
  await anna.delete(`/rookery/keys/${keyId}`)
  await expect.poll(() => stream.isOver).toBe(true)
  expect(await polling).toMatchObject({ status: 401, body: { msg: 'Invalid API key' } })
  expect(other.isOver).toBe(false)
})

test('a waiting poll returns the same as a new one would', async () => {
  const org = await organization()
  const { anna, keyId } = await withSecondKey(org)
  const { queueId, state } = await anna.register({ event_types: ['message'] })
  const polling = anna.get('/events', { queue_id: queueId, last_event_id: state.last_event_id })
  await anna.delete(`/rookery/keys/${keyId}`)
  await say(org, 'afterwards', [anna.id])
  expect(await polling).toMatchObject({ status: 401, body: { msg: 'Invalid API key' } })
})
