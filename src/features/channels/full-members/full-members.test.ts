import { expect, test } from 'vitest'
import { jobsOf } from '../../../../test/jobs.ts'
import type { Organization } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'

const all = testServer({ queueIdleSeconds: 86_400 * 100, standsStill: true })
const day = 86_400

/** Ann is about to become a full member, and Ben a day later. */
async function waiting() {
  const org = await all.organization()
  await org.owner.patch('/realm', { waiting_period_threshold: 3 })
  const ann = await org.person()
  all.pass(day)
  const ben = await org.person()
  return { org, ann, ben, eve: await org.person({ role: 'guest' }) }
}

const joinings = async (client: Awaited<ReturnType<Person['register']>>) =>
  (await client.events()).filter(({ type, op }) => type === 'user_group' && op === 'add_members')

/** Lets time pass, and what is due be done. */
async function wait(seconds: number) {
  all.pass(seconds)
  await all.workOff()
}

function joining(org: Organization, ...users: Person[]) {
  return { group_id: org.group('role:fullmembers'), user_ids: users.map(({ id }) => id) }
}

test('all users are told when a member has waited long enough to be a full member', async () => {
  const { org, ann, ben, eve } = await waiting()
  for (const kind of ['public', 'private'])
    await org.owner.patch('/realm', {
      [`can_create_${kind}_channel_group`]: { new: org.group('role:fullmembers') },
    })
  const clients = [await ann.register(), await ben.register(), await eve.register()]
  await wait(2 * day - 60)
  for (const client of clients) expect(await joinings(client)).toEqual([])
  await wait(60)
  const late = await eve.register()
  for (const client of clients) {
    expect(await joinings(client)).toMatchObject([joining(org, ann)])
    await client.expectStateToMatch()
  }
  await wait(day)
  for (const client of [...clients, late]) {
    expect(await joinings(client)).toMatchObject([joining(org, ben)])
    await client.expectStateToMatch()
  }
  expect(await jobsOf(org, 'full members')).toEqual([])
})

test('a full member sees the private channels that full members may subscribe to', async () => {
  const { org, ann, ben } = await waiting()
  const channel = await org.channel({ isPrivate: true, subscribers: [org.owner] })
  const own = await org.channel({ isPrivate: true, subscribers: [org.owner, ann] })
  for (const { id } of [channel, own])
    await org.owner.patch(`/streams/${id}`, { can_subscribe_group: { new: org.group('role:fullmembers') } })
  const clients = [await ann.register(), await ben.register()] as const
  await wait(2 * day)
  const [anns, bens] = [await clients[0].events(), await clients[1].events()]
  expect(anns.filter(({ type }) => type === 'stream' || type === 'subscription')).toMatchObject([
    { op: 'create', streams: [{ stream_id: channel.id }] },
    { op: 'peer_add', stream_ids: [channel.id], user_ids: [org.owner.id] },
  ])
  expect(bens.filter(({ type }) => type === 'stream')).toEqual([])
  for (const client of clients) await client.expectStateToMatch()
})

test('a new role, a reactivation and a new period count, and a user who is gone does not', async () => {
  const { org, ann, ben, eve } = await waiting()
  await org.owner.patch(`/users/${eve.id}`, { role: 400 })
  await org.owner.delete(`/users/${ann.id}`)
  const client = await org.owner.register()
  await wait(2 * day)
  expect(await joinings(client)).toEqual([])
  await wait(day)
  expect(await joinings(client)).toMatchObject([joining(org, ben, eve)])
  const carl = await org.person()
  await org.owner.patch('/realm', { waiting_period_threshold: 5 })
  await org.owner.delete(`/users/${carl.id}`)
  await wait(2 * day)
  await org.owner.post(`/users/${carl.id}/reactivate`)
  await client.events()
  await wait(3 * day)
  expect(await joinings(client)).toMatchObject([joining(org, carl)])
  await client.expectStateToMatch()
  await org.person()
  await org.owner.patch('/realm', { waiting_period_threshold: 0 })
  expect(await jobsOf(org, 'full members')).toEqual([])
})

test('without a waiting period nothing is scheduled for new users', async () => {
  const org = await all.organization()
  await org.person()
  expect(await jobsOf(org, 'full members')).toEqual([])
})
