import { expect, test } from 'vitest'
import { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('bots neither create nor list groups', async () => {
  const org = await organization()
  const anna = await org.person()
  await anna.post('/user_groups/create', { name: 'cooks', description: '', members: [anna.id] })
  const [group] = [...org.state.groups.values()].filter((one) => !one.is_system_group)
  const { body } = await anna.post('/bots', { full_name: 'Bot', short_name: 'bot' })
  const { delivery_email: email } = org.state.users.require(body.user_id)
  const bot = new Person(org.place, { id: body.user_id, name: 'Bot', email, key: body.api_key })
  const refused = { result: 'error', msg: 'This endpoint does not accept bot requests.', code: 'BAD_REQUEST' }
  const path = `/user_groups/${group!.id}`
  for (const answer of [
    await bot.post('/user_groups/create', { name: 'more', description: '', members: [] }),
    await bot.get('/user_groups'),
    await bot.get(`${path}/members`),
    await bot.get(`${path}/members/${anna.id}`),
    await bot.get(`${path}/subgroups`),
    await bot.get('/bots'),
  ]) {
    expect(answer.body).toEqual(refused)
  }
  expect(org.state.groups.size).toBe(9)
})

test('system groups contain users by role, each group nested in the next', async () => {
  const org = await organization()
  const [admin, ann, gone] = [
    await org.person({ role: 'administrator' }),
    await org.person(),
    await org.person(),
  ]
  const guest = await org.person({ role: 'guest' })
  await org.owner.delete(`/users/${gone.id}`)
  const { user_groups: groups } = (await ann.get('/user_groups')).body
  const nobody = org.group('role:nobody')
  expect(groups.map(({ name, members }: { name: string; members: number[] }) => [name, members])).toEqual([
    ['role:nobody', []],
    ['role:owners', [org.owner.id]],
    ['role:administrators', [admin.id]],
    ['role:moderators', []],
    ['role:fullmembers', [ann.id]],
    ['role:members', [ann.id]],
    ['role:everyone', [guest.id]],
    ['role:internet', []],
  ])
  expect(groups.map((group: { direct_subgroup_ids: number[] }) => group.direct_subgroup_ids)).toEqual([
    [],
    [],
    ...groups.slice(1, -1).map((group: { id: number }) => [group.id]),
  ])
  expect(groups[0]).toEqual({
    id: nobody,
    name: 'role:nobody',
    description: 'Nobody',
    creator_id: null,
    date_created: null,
    members: [],
    direct_subgroup_ids: [],
    is_system_group: true,
    deactivated: false,
    can_add_members_group: nobody,
    can_join_group: nobody,
    can_leave_group: nobody,
    can_manage_group: nobody,
    can_mention_group: nobody,
    can_remove_members_group: nobody,
  })
})

test('deactivated groups are listed on request; guests receive none', async () => {
  const org = await organization()
  const [ann, gone, guest] = [await org.person(), await org.person(), await org.person({ role: 'guest' })]
  const members = [ann.id, gone.id]
  const { group_id: id } = (
    await org.owner.post('/user_groups/create', { name: 'old', description: '', members })
  ).body
  await org.owner.post(`/user_groups/${id}/deactivate`)
  await org.owner.delete(`/users/${gone.id}`)
  const list = async (params = {}) => (await ann.get('/user_groups', params)).body.user_groups
  expect((await list()).some((group: { id: number }) => group.id === id)).toBe(false)
  const all = await list({ include_deactivated_groups: true })
  expect(all.at(-1)).toMatchObject({ id, members: [ann.id], deactivated: true })
  expect((await guest.get('/user_groups')).body.msg).toBe('Not allowed for guest users')
})
