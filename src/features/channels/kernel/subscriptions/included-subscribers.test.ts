import { expect, test } from 'vitest'
import { apply, type Wire } from '../../../../../test/client.ts'
import type { Person } from '../../../../../test/person.ts'
import { testServer } from '../../../../../test/test-server.ts'
import { subscriberLimits } from './limits.ts'

const here = testServer()
const { organization } = here

const partial = { include_subscribers: '"partial"' }

const report = (who: Person) => who.post('/users/me/presence', { status: 'active' })

/** An organization in which some users were seen lately, and a channel that has as many subscribers as come complete. */
async function setting(isWebPublic = false) {
  const org = await organization()
  const [anna, ben, shy] = [await org.person(), await org.person(), await org.person()]
  await report(ben)
  here.pass((subscriberLimits.partialActiveDays + 1) * 86_400)
  await report(anna)
  await shy.patch('/settings', { presence_enabled: false })
  const bot = await org.bot(org.owner)
  const channel = await org.channel({ isWebPublic, subscribers: [anna, ben, shy, bot] })
  const crowd = await org.crowd(subscriberLimits.partialFrom - 5, channel)
  const subscribe = (...ids: number[]) =>
    org.owner.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }], principals: ids })
  const members = async () => (await org.owner.get(`/streams/${channel.id}/members`)).body.subscribers
  const inState = (state: Wire): Wire =>
    [state.subscriptions, state.never_subscribed]
      .flat()
      .find((one: { stream_id: number }) => one.stream_id === channel.id)
  return { org, anna, ben, shy, bot, channel, crowd, subscribe, members, inState }
}

test('a large channel comes with the bots, who was here lately, and who hides it', async () => {
  const { org, anna, shy, bot, channel, subscribe, members, inState } = await setting()
  const small = await org.channel({ subscribers: [anna] })
  const everyone = await members()
  const complete = inState((await anna.register(partial)).state)
  expect(complete).toMatchObject({ subscribers: everyone, subscriber_count: everyone.length })
  expect(complete).not.toHaveProperty('partial_subscribers')

  const newcomer = await org.person()
  await subscribe(newcomer.id)
  const some = [anna.id, shy.id, bot.id].sort((a, b) => a - b)
  const expected = { partial_subscribers: some, subscriber_count: subscriberLimits.partialFrom }
  for (const person of [anna, org.owner]) {
    const found = inState((await person.register(partial)).state)
    expect(found).toMatchObject(expected)
    expect(found).not.toHaveProperty('subscribers')
  }
  const { subscriptions } = (await anna.get('/users/me/subscriptions', partial)).body
  expect(subscriptions).toMatchObject([
    { stream_id: channel.id, ...expected },
    { stream_id: small.id, subscribers: [anna.id] },
  ])
  expect(subscriptions[0]).not.toHaveProperty('subscribers')
  expect(inState((await anna.register()).state).subscribers).toEqual([...everyone, newcomer.id])
})

test('the next part has who came back since or hides it now, but nobody who left', async () => {
  const { org, anna, ben, shy, bot, crowd, subscribe, inState } = await setting()
  const hider = await org.person()
  await subscribe(hider.id, (await org.person()).id)
  const part = async () => inState((await anna.register(partial)).state).partial_subscribers
  const before = [anna.id, shy.id, bot.id].sort((a, b) => a - b)
  expect(await part()).toEqual(before)
  await hider.patch('/settings', { presence_enabled: false })
  expect(await part()).toEqual([...before, hider.id])
  // A user who shows their presence again is included.
  await ben.patch('/settings', { presence_enabled: false })
  await ben.patch('/settings', { presence_enabled: true })
  expect(await part()).toContain(ben.id)
  for (const id of [shy.id, crowd[0]]) await org.owner.delete(`/users/${id}`)
  await subscribe((await org.person()).id)
  expect(await part()).toEqual([anna.id, ben.id, bot.id, hider.id].sort((a, b) => a - b))
})

test('a part that many share has who hides it since, and no longer who left long ago', async () => {
  const { org, anna, shy, bot, subscribe, inState } = await setting()
  const hider = await org.person()
  await subscribe(hider.id, (await org.person()).id)
  const part = async () => inState((await org.owner.register(partial)).state).partial_subscribers
  const always = [shy.id, bot.id].sort((a, b) => a - b)
  expect(await part()).toEqual([anna.id, ...always])
  await hider.patch('/settings', { presence_enabled: false })
  expect(await part()).toEqual([anna.id, ...always, hider.id])
  here.pass((subscriberLimits.partialActiveDays + 1) * 86_400)
  expect(await part()).toEqual([...always, hider.id])
})

test('a guest who may not see all users is not told which of them were here', async () => {
  const { org, subscribe, members, inState } = await setting(true)
  await subscribe((await org.person()).id)
  const guest = await org.person({ role: 'guest' })
  const toGuest = async () => inState((await guest.register(partial)).state)
  expect(await toGuest()).toHaveProperty('partial_subscribers')
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  expect(await toGuest()).toMatchObject({ subscribers: await members() })
})

test('where presence is off, all subscribers come', async () => {
  const { org, anna, subscribe, members, inState } = await setting()
  await subscribe((await org.person()).id)
  await org.owner.patch('/realm', { presence_disabled: true })
  expect(inState((await anna.register(partial)).state)).toMatchObject({ subscribers: await members() })
})

test('events carry complete lists and parts forward', async () => {
  const { org, anna, bot, channel, subscribe, members, inState } = await setting()
  const [early, newcomer] = [await anna.register(partial), await org.person()]
  await subscribe(newcomer.id)
  const late = await anna.register(partial)
  const leave = (...ids: number[]) =>
    org.owner.delete('/users/me/subscriptions', { subscriptions: [channel.name], principals: ids })
  await leave(bot.id)
  await subscribe(bot.id)
  await late.expectStateToMatch()
  const another = await org.person()
  await subscribe(another.id)
  await leave(newcomer.id)
  for (const client of [early, late]) {
    for (const event of await client.events()) apply(client.state, event)
    expect(inState(client.state).subscriber_count).toBe(subscriberLimits.partialFrom)
  }
  expect(inState(early.state).subscribers).toEqual(await members())
  expect(await members()).toEqual(expect.arrayContaining(inState(late.state).partial_subscribers))
  expect(inState(late.state).partial_subscribers).toEqual(expect.arrayContaining([bot.id, another.id]))
})

test('a channel that appears for a client of parts comes with its subscribers', async () => {
  const { org, anna, subscribe } = await setting()
  await subscribe((await org.person()).id)
  const client = await anna.register(partial)
  const subscriptions = [{ name: 'new' }]
  await org.owner.post('/users/me/subscriptions', { subscriptions, principals: [org.owner.id] })
  await anna.post('/users/me/subscriptions', { subscriptions })
  await client.expectStateToMatch()
})

test('a plain word is an error, as for a server of level 407', async () => {
  const { owner } = await organization()
  const error = { code: 'BAD_REQUEST', msg: 'include_subscribers is not valid JSON' }
  for (const found of [
    await owner.post('/register', { include_subscribers: 'partial' }),
    await owner.get('/users/me/subscriptions', { include_subscribers: 'partial' }),
  ]) {
    expect(found).toMatchObject({ status: 400, body: error })
  }
})
