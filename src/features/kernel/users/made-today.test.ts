import { expect, test } from 'vitest'
import type { Organization } from '../../../../test/organization.ts'
import { testServer } from '../../../../test/test-server.ts'
import { roles } from '../../../db/roles.ts'
import { botLimits } from '../../bots/kernel/bots/limits.ts'
import { subscriptionLimits } from '../../channels/subscriptions/limits.ts'
import { groupLimits } from '../../people/groups/limits.ts'

const server = testServer()
const day = 86_400

test('a user creates as many groups in a day as people do, and an administrator any number', async () => {
  const org = await server.organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const create = async (who: typeof anna, name: string) =>
    (await who.post('/user_groups/create', { name, description: '', members: [] })).body
  const { group_id } = await create(anna, 'first')
  const first = org.state.groups.require(group_id)
  const names = Array.from({ length: groupLimits.newGroupsPerDay - 1 }, (_, i) => `group ${i}`)
  const rows = names.map((name) => ({ ...first, id: undefined, name }))
  await org.log.commit((change) =>
    change.insertAll(
      'user_group',
      rows.map(({ id: _, ...row }) => row),
    ),
  )
  const msg = `Too many new user groups in a day (maximum ${groupLimits.newGroupsPerDay}).`
  expect(await create(anna, 'one more')).toMatchObject({ code: 'BAD_REQUEST', msg })
  expect(await create(ben, 'of another')).toMatchObject({ result: 'success' })
  await org.log.commit((change) => change.update('account', { id: anna.id, role: roles.administrator }))
  expect(await create(anna, 'one more')).toMatchObject({ result: 'success' })
  await org.log.commit((change) => change.update('account', { id: anna.id, role: roles.member }))
  expect(await create(anna, 'another')).toMatchObject({ msg })
  server.pass(day)
  expect(await create(anna, 'another')).toMatchObject({ result: 'success' })
})

test('the channels that the bots of a user create count as those of the user', async () => {
  const org = await server.organization()
  const anna = await org.person()
  const bot = await org.bot(anna)
  const most = subscriptionLimits.newChannelsPerDay
  const create = async (who: typeof anna, names: string[]) =>
    (await who.post('/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })) })).body
  const names = Array.from({ length: most }, (_, i) => `channel ${i}`)
  expect(await create(bot, names)).toMatchObject({ result: 'success' })
  const msg = `Too many new channels in a day (maximum ${most}).`
  expect(await create(anna, ['one more'])).toMatchObject({ code: 'BAD_REQUEST', msg })
  expect(await create(anna, names)).toMatchObject({ result: 'success' })
})

test('a user creates as many bots in a day as people do', async () => {
  const org = await server.organization()
  const anna = await org.person()
  await addBots(org, anna.id, botLimits.newBotsPerDay - 1)
  const create = async (name: string) =>
    (await anna.post('/bots', { full_name: name, short_name: name, bot_type: 1 })).body
  expect(await create('last')).toMatchObject({ result: 'success' })
  const msg = `Too many new bots in a day (maximum ${botLimits.newBotsPerDay}).`
  expect(await create('more')).toMatchObject({ code: 'BAD_REQUEST', msg })
})

function addBots(org: Organization, bot_owner_id: number, count: number) {
  const bots = Array.from({ length: count }, (_, i) => ({
    full_name: `Bot ${i}`,
    delivery_email: `made${i}-bot@example.com`,
    bot_type: 1,
    bot_owner_id,
    role: roles.member,
  }))
  return org.log.commit((change) =>
    change.insertAll(
      'account',
      bots.map((bot) => ({ ...bot, created_at: change.now })),
    ),
  )
}
