import { expect, test } from 'vitest'
import { collectGarbage } from '../../test/memory.ts'
import { testServer } from '../../test/test-server.ts'
import { queueLimits } from './limits.ts'

// Their queues live on.
const all = testServer({ queueIdleSeconds: 7_200 })

/** An organization without jobs that are due soon: one would load it, or keep it in memory. */
async function restingOrganization() {
  const org = await all.organization()
  await all.workOff()
  return org
}

/** The organizations in the memory of the node. */
async function loaded() {
  const { realms } = all.node.app
  const { organizations } = await realms.progress(realms.databases.main)
  return organizations
}

test('an organization that nobody uses leaves memory, and its clients go on as if it had not', async () => {
  const { owner } = await restingOrganization()
  const client = await owner.register({ event_types: ['message'] })
  expect(await loaded()).toBe(1)
  all.pass(queueLimits.idleOrganizationSeconds / 2)
  await all.node.app.queues.sweep()
  expect(await loaded()).toBe(1)
  all.pass(queueLimits.idleOrganizationSeconds / 2 + 10)
  await all.node.app.queues.sweep()
  expect(await loaded()).toBe(0)

  const { body } = await owner.post('/messages', { type: 'direct', to: [owner.id], content: 'back again' })
  expect(await client.next()).toMatchObject([{ message: { id: body.id } }])
  expect(await loaded()).toBe(1)
})

test('an organization for whose events a client waits stays in memory', async () => {
  const { owner } = await restingOrganization()
  const client = await owner.register({ event_types: ['message'] })
  const before = await loaded()
  const waiting = client.next()
  await expect.poll(() => all.node.app.queues.open.polls).toBe(1)
  all.pass(queueLimits.idleOrganizationSeconds + 10)
  await all.node.app.queues.sweep()
  expect(await loaded()).toBeLessThanOrEqual(before)
  expect(await loaded()).toBeGreaterThan(0)
  const { body } = await owner.post('/messages', { type: 'direct', to: [owner.id], content: 'heard' })
  expect(await waiting).toMatchObject([{ message: { id: body.id } }])
})

test('a job that outlasts the release of its organization shares one log with the requests that follow', async () => {
  const { owner, place, id } = await restingOrganization()
  const { realms, queues } = all.node.app
  const log = await realms.byId(id)
  const client = await owner.register({ event_types: ['message', 'invites_changed'] })
  all.pass(queueLimits.idleOrganizationSeconds + 10)
  await queues.sweep()
  await queues.sweep()
  expect(await loaded()).toBe(0)

  const waiting = client.next()
  await expect.poll(() => queues.open.polls).toBe(1)
  expect(await realms.bySubdomain(place.host.split('.')[0]!)).toBe(log)
  // When the job commits in the end, the waiting client gets the event.
  await log.commit(async (change) => change.emit({ type: 'invites_changed' }, { everyone: true }))
  expect(await waiting).toMatchObject([{ type: 'invites_changed' }])
  const { body } = await owner.post('/messages', { type: 'direct', to: [owner.id], content: 'after that' })
  expect(await client.next()).toMatchObject([{ message: { id: body.id } }])
})

test('the memory of a released organization becomes free', async () => {
  const { id } = await restingOrganization()
  // At this node, no test holds its log.
  const { realms, queues } = (await all.anotherNode()).app
  await realms.byId(id)
  all.pass(queueLimits.idleOrganizationSeconds + 10)
  await queues.sweep()
  await queues.sweep()
  await expect
    .poll(() => {
      collectGarbage()
      return realms.inMemory(id) === undefined
    })
    .toBe(true)
})
