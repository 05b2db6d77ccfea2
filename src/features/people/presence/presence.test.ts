import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Organization } from '../../../../test/organization.ts'
import { report, twoAndGuest, written } from '../../../../test/presence.ts'
import { testServer } from '../../../../test/test-server.ts'
import { prune } from '../../../log/prune.ts'
import { presenceLimits } from '../kernel/presence/limits.ts'

const here = testServer()
const { organization, anotherNode } = here

const setting = async () => twoAndGuest(await organization())

/** Enough users that no one is notified of single users. */
const crowd = (org: Organization) => org.crowd(presenceLimits.presenceEventPeople)

test('all users are notified of a user who comes online, in the form that each client knows', async () => {
  const { anna, ben } = await setting()
  const [slim, legacy] = [await ben.register({ slim_presence: true }), await ben.register()]
  await report(anna)
  const time = expect.any(Number)
  const website = { client: 'website', status: 'active', timestamp: time, pushable: false }
  const event = {
    type: 'presence',
    id: time,
    user_id: anna.id,
    server_timestamp: time,
    presence: { website },
  }
  expect(await slim.events()).toEqual([event])
  expect(await legacy.events()).toEqual([{ ...event, email: anna.email }])
  await report(anna)
  here.pass(presenceLimits.presencePingSeconds)
  await report(anna)
  expect(await slim.events()).toEqual([])
  here.pass(presenceLimits.presenceOfflineSeconds + 1)
  await report(anna)
  expect(await slim.events()).toEqual([event])
})

test('state and events agree', async () => {
  const { anna, ben } = await setting()
  for (const slim_presence of [true, false]) {
    const client = await ben.register({ slim_presence })
    here.pass(presenceLimits.presenceOfflineSeconds + 1)
    await report(anna)
    await client.expectStateToMatch()
  }
})

test('a user is present when they report it, also after the clock was set back', async () => {
  const { anna, ben } = await setting()
  here.pass(3600)
  await report(anna)
  here.pass(-3600)
  await report(anna)
  const { presences, server_timestamp } = await report(ben, { slim_presence: true })
  expect(presences[anna.id].active_timestamp).toBeLessThanOrEqual(server_timestamp)
})

test('a report returns who is present, in either form', async () => {
  const { anna, ben } = await setting()
  await report(anna)
  const slim = await report(ben, { slim_presence: true })
  const times = { active_timestamp: expect.any(Number), idle_timestamp: expect.any(Number) }
  expect(slim.presences).toEqual({ [anna.id]: times, [ben.id]: times })
  const website = { client: 'website', status: 'active', timestamp: expect.any(Number) }
  const { presences, presence_last_update_id: last } = await report(ben)
  expect(presences[anna.email]).toEqual({ aggregated: website, website: { ...website, pushable: false } })
  expect(await report(ben, { last_update_id: last })).toMatchObject({
    presences: {},
    presence_last_update_id: last,
  })
  expect(await report(ben, { ping_only: true })).toEqual({ result: 'success', msg: '' })
})

test('a user who was never active has both times, as the mobile app needs them', async () => {
  const { anna, ben } = await setting()
  here.pass(3600)
  await report(anna, { status: 'idle' })
  const { presences, server_timestamp } = await report(ben, { slim_presence: true })
  const { active_timestamp, idle_timestamp } = presences[anna.id]
  expect(server_timestamp - idle_timestamp).toBeLessThan(presenceLimits.presenceOfflineSeconds)
  expect(server_timestamp - active_timestamp).toBeGreaterThanOrEqual(3600)
  const client = await ben.register({ slim_presence: true })
  expect(client.state.presences[anna.id]).toEqual({ active_timestamp, idle_timestamp })
})

test('presences since an earlier report, in a large organization', async () => {
  const { org, anna, ben } = await setting()
  await crowd(org)
  const client = await ben.register()
  const { presence_last_update_id: start } = await report(ben, { last_update_id: -1 })
  const before = org.log.state.position
  await report(anna)
  expect((await ben.get(`/users/${anna.id}/presence`)).body.presence.website.status).toBe('active')
  await written(org, before)
  const { presences, presence_last_update_id: next } = await report(ben, { last_update_id: start })
  expect(Object.keys(presences)).toContain(String(anna.id))
  expect(next).toBeGreaterThan(start)
  expect((await report(ben, { last_update_id: next })).presences).toEqual({})
  expect(await client.events()).toEqual([])
})

test('many reports make one entry of the log, and other nodes receive them', async () => {
  const { org, anna, ben, guest } = await setting()
  await crowd(org)
  const before = org.log.state.position
  await Promise.all([anna, ben, guest].flatMap((one) => [report(one), report(one)]))
  expect(org.log.state.position).toBe(before)
  await written(org, before)
  expect(org.log.state.position).toBe(before + 1)
  const second = await anotherNode()
  const there = { ...second, host: org.place.host }
  const { body } = await ben.at(there).get('/realm/presence')
  expect(Object.keys(body.presences).sort()).toEqual([anna.email, ben.email, guest.email].sort())
  const lastThere = async () => (await report(ben, { slim_presence: true })).presences[anna.id].idle_timestamp
  const first = await lastThere()
  here.pass(presenceLimits.presencePingSeconds)
  await report(anna.at(there), { status: 'idle' })
  await expect
    .poll(lastThere, { interval: 100 })
    .toBeGreaterThanOrEqual(first + presenceLimits.presencePingSeconds)
  const rows = await here.node.app.realms.connections.read.rows(
    sql`SELECT FROM presence WHERE realm_id = ${org.id}`,
  )
  expect(rows).toHaveLength(3)
})

test('the log deletes old presences, but keeps its numbers', async () => {
  const { org, anna, ben } = await setting()
  const client = await ben.register()
  await report(anna)
  const { db } = here.node.app.realms.connections
  await prune(db, 7, Math.floor(Date.now() / 1000) + 86_400)
  const [entry] = await db
    .selectFrom('event_log')
    .where('realm_id', '=', org.id)
    .where('type', '=', 'presence')
    .selectAll()
    .execute()
  expect(entry).toMatchObject({ id: org.log.state.position, event: null })
  const there = { ...(await anotherNode()), host: org.place.host }
  await ben.patch('/settings', { enter_sends: true })
  const { body } = await ben.at(there).get('/events', {
    queue_id: client.queueId,
    last_event_id: client.state.last_event_id,
    dont_block: true,
  })
  expect(body.events).toMatchObject([{ type: 'user_settings', property: 'enter_sends' }])
  expect((await ben.at(there).get(`/users/${anna.id}/presence`)).status).toBe(200)
})

test('users who hide their presence appear offline', async () => {
  const { anna, ben } = await setting()
  await report(anna)
  const client = await ben.register({ slim_presence: true })
  const follower = await ben.register({ slim_presence: true })
  await anna.patch('/settings', { presence_enabled: false })
  await report(anna)
  const own = (await report(ben, { slim_presence: true })).presences[anna.id]
  const { server_timestamp } = await report(ben)
  expect(server_timestamp - own.idle_timestamp).toBeGreaterThan(presenceLimits.presenceOfflineSeconds)
  expect(server_timestamp - own.active_timestamp).toBeGreaterThan(presenceLimits.presenceOfflineSeconds)
  await follower.expectStateToMatch()
  await anna.patch('/settings', { presence_enabled: true })
  const events = (await client.events()).filter((event) => event.user_id === anna.id)
  expect(events).toMatchObject([
    { type: 'presence', presence: { website: { status: 'idle', timestamp: own.idle_timestamp } } },
    { type: 'presence', presence: { website: { status: 'active' } } },
  ])
  const [hidden] = events
  expect(hidden!.server_timestamp - own.idle_timestamp).toBeGreaterThan(presenceLimits.presenceOfflineSeconds)
})

test('all users are notified immediately when a present user hides their presence, and not for an absent one', async () => {
  const { anna, ben } = await setting()
  const clients = [await ben.register({ slim_presence: true }), await ben.register()]
  await anna.patch('/settings', { presence_enabled: false })
  await anna.patch('/settings', { presence_enabled: true })
  for (const client of clients) {
    expect(await client.events()).toMatchObject([{ presence: { website: { status: 'active' } } }])
  }
  await anna.post('/users/me/status', { away: true })
  for (const client of clients) {
    expect(await client.events()).toMatchObject([
      { presence: { website: { status: 'idle' } } },
      { type: 'user_status', away: true },
    ])
    await client.expectStateToMatch()
  }
  await anna.post('/users/me/status', { away: false })
  here.pass(presenceLimits.presenceOfflineSeconds + 2)
  await anna.patch('/settings', { presence_enabled: false })
  for (const client of clients) {
    const heard = (await client.events()).filter(({ type }) => type === 'presence')
    expect(heard).toMatchObject([{ presence: { website: { status: 'active' } } }])
    await client.expectStateToMatch()
  }
})

test('all users of a large organization are notified, too, when a user hides or shows their presence', async () => {
  const { org, anna, ben } = await setting()
  await crowd(org)
  await report(anna)
  const client = await ben.register({ slim_presence: true })
  for (const status of ['idle', 'active']) {
    await anna.patch('/settings', { presence_enabled: status === 'active' })
    expect((await client.events()).filter(({ type }) => type === 'presence')).toMatchObject([
      { user_id: anna.id, presence: { website: { status } } },
    ])
    await client.expectStateToMatch()
  }
})

test('a user last seen some time ago is offline, and was active then', async () => {
  const { anna, ben } = await setting()
  await report(anna)
  const presence = async () => (await ben.get(`/users/${anna.id}/presence`)).body.presence
  const { timestamp } = (await presence()).website
  here.pass(presenceLimits.presenceOfflineSeconds - 5)
  expect((await presence()).aggregated).toEqual({ status: 'active', timestamp })
  here.pass(6)
  expect(await presence()).toEqual({
    aggregated: { status: 'offline', timestamp },
    website: { status: 'active', timestamp },
  })
})

test('an organization can turn presence off', async () => {
  const { org, anna, ben } = await setting()
  await report(anna)
  const open = [await ben.register(), await ben.register({ slim_presence: true })]
  await org.owner.patch('/realm', { presence_disabled: true })
  for (const one of open) await one.expectStateToMatch()
  const client = await ben.register()
  await report(ben)
  expect(client.state.presences).toEqual({})
  expect((await report(ben)).presences).toEqual({})
  expect((await ben.get('/realm/presence')).body.presences).toEqual({})
  expect(await client.events()).toEqual([])
})

test('of one user: the times, by id or address', async () => {
  const { org, anna, ben } = await setting()
  await report(anna, { status: 'idle' })
  const presence = { status: 'idle', timestamp: expect.any(Number) }
  for (const name of [anna.id, anna.email, `user${anna.id}@${org.place.host}`]) {
    const { body } = await ben.get(`/users/${name}/presence`)
    expect(body.presence).toEqual({ aggregated: presence, website: presence })
  }
  for (const [name, msg] of [
    [ben.id, `No presence data for ${ben.id}`],
    ['99999999', 'No such user'],
    ['no@example.com', 'No such user'],
    ['zz', 'No such user'],
  ]) {
    expect((await ben.get(`/users/${name}/presence`)).body).toEqual({
      result: 'error',
      msg,
      code: 'BAD_REQUEST',
    })
  }
})

test('a report is validated', async () => {
  const { anna } = await setting()
  for (const status of ['zzz', 'offline']) {
    expect((await report(anna, { status })).msg).toBe(`Invalid status: ${status}`)
  }
  expect((await anna.post('/users/me/presence')).body.code).toBe('REQUEST_VARIABLE_MISSING')
  expect(await report(anna, { history_limit_days: -1 })).toMatchObject({
    presences: {},
    presence_last_update_id: -1,
  })
})
