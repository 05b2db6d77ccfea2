import { expect, test } from 'vitest'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

async function create(person: Person, name: string, params: object = {}): Promise<number> {
  const fields = { name, description: '', members: [], ...params }
  return (await person.post('/user_groups/create', fields)).body.group_id
}

function change(person: Person, id: number, params: Record<string, number[]>) {
  return person.post(`/user_groups/${id}/members`, params)
}

test('members are added and removed; all users are notified, and the members receive a message', async () => {
  const org = await organization()
  const [ann, bob, guest] = [
    await org.person({ name: 'Ann' }),
    await org.person(),
    await org.person({ role: 'guest' }),
  ]
  const id = await create(ann, 'devs', { members: [bob.id] })
  const clients = [await bob.register({ apply_markdown: false }), await guest.register()] as const
  await change(ann, id, { add: [guest.id, ann.id], delete: [bob.id] })
  const events = [
    { type: 'user_group', op: 'add_members', group_id: id, user_ids: [guest.id, ann.id] },
    { type: 'user_group', op: 'remove_members', group_id: id, user_ids: [bob.id] },
  ]
  const me = `@_**Ann|${ann.id}**`
  const gone = { message: { type: 'private', content: `${me} removed you from the group @_*devs*.` } }
  expect(await clients[0].events()).toMatchObject([...events, gone])
  const html = `<span class="user-group-mention silent" data-user-group-id="${id}">devs</span>`
  const heard = await clients[1].events()
  expect(heard).toMatchObject([events[0], { type: 'message', flags: [] }, events[1]])
  expect(heard[1]!.message.content).toContain(`added you to the group ${html}`)
  for (const client of clients) await client.expectStateToMatch()
})

test('very many members are added in steps, so that other writes do not have to wait', async () => {
  const org = await organization()
  const ann = await org.person({ name: 'Ann' })
  const people: Person[] = []
  while (people.length < 220) people.push(await org.person())
  const id = await create(ann, 'devs')
  const sizes: number[] = []
  org.log.listen((entries) => sizes.push(entries.length))
  expect((await change(ann, id, { add: people.map((person) => person.id) })).body.msg).toBe('')
  expect(Math.max(...sizes)).toBeLessThan(130)
  for (const person of [people[0]!, people[150]!, people.at(-1)!]) {
    const { body } = await person.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0 })
    expect(body.messages).toHaveLength(1)
    expect(body.messages[0].content).toContain('added you to the group')
  }
})

test('invalid changes of members are refused, and nothing is changed', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const id = await create(ann, 'devs', { members: [bob.id] })
  const inner = await create(ann, 'inner')
  const msg = async (params: Record<string, number[]>) => (await change(ann, id, params)).body.msg
  expect(await msg({})).toBe(
    'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
  )
  expect(await msg({ add: [ann.id, bob.id] })).toBe(`User ${bob.id} is already a member of this group`)
  expect(await msg({ add: [99_999] })).toBe('Invalid user ID: 99999')
  expect(await msg({ add: [ann.id], delete: [org.owner.id] })).toBe(
    `There is no member '${org.owner.id}' in this user group`,
  )
  expect(await msg({ add_subgroups: [id] })).toBe(
    `User group ${id} is already a subgroup of one of the passed subgroups.`,
  )
  expect(await msg({ add_subgroups: [99_999] })).toBe('Invalid user group ID: 99999')
  expect(await msg({ delete_subgroups: [inner] })).toBe(
    `User group ${inner} is not a subgroup of this group.`,
  )
  const system = await change(org.owner, org.group('role:members'), { add: [bob.id] })
  expect(system.body.msg).toBe('Insufficient permission')
  expect((await change(ann, 99_999, { add: [bob.id] })).body.msg).toBe('Invalid user group')
  expect((await ann.get(`/user_groups/${id}/members`)).body.members).toEqual([bob.id])
})

test('subgroups are added and removed, and never form a cycle', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const [outer, middle, inner] = [await create(ann, 'o'), await create(ann, 'm'), await create(ann, 'i')]
  const client = await bob.register()
  const subgroups = async (id: number, params: object) =>
    (await ann.post(`/user_groups/${id}/subgroups`, { ...params })).body.msg
  expect(await subgroups(outer, { add: [middle] })).toBe('')
  expect(await subgroups(middle, { add: [inner] })).toBe('')
  expect(await client.events()).toMatchObject([
    { op: 'add_subgroups', group_id: outer, direct_subgroup_ids: [middle] },
    { op: 'add_subgroups', group_id: middle, direct_subgroup_ids: [inner] },
  ])
  expect(await subgroups(outer, { add: [middle] })).toBe(
    `User group ${middle} is already a subgroup of this group.`,
  )
  expect(await subgroups(inner, { add: [outer] })).toBe(
    `User group ${inner} is already a subgroup of one of the passed subgroups.`,
  )
  expect(await subgroups(inner, {})).toBe('Nothing to do. Specify at least one of "add" or "delete".')
  const list = async (params: object) =>
    (await ann.get(`/user_groups/${outer}/subgroups`, { ...params })).body.subgroups
  expect(await list({})).toEqual([middle, inner])
  expect(await list({ direct_subgroup_only: true })).toEqual([middle])
  expect(await subgroups(outer, { delete: [middle] })).toBe('')
  expect(await client.events()).toMatchObject([{ op: 'remove_subgroups', direct_subgroup_ids: [middle] }])
  await ann.post(`/user_groups/${inner}/subgroups`, { add: [outer] })
  await client.expectStateToMatch()
})

test('each permission allows its action, for the user themselves or for others', async () => {
  const org = await organization()
  const [ann, bob, carol] = [await org.person(), await org.person(), await org.person()]
  const only = (person: Person) => ({ direct_members: [person.id], direct_subgroups: [] })
  const may = async (params: object, changes: Record<string, number[]>, members: number[] = []) => {
    const id = await create(org.owner, `g ${Math.random()}`, { members, ...params })
    return (await change(bob, id, changes)).body.result === 'success'
  }
  const [join, invite] = [{ add: [bob.id] }, { add: [carol.id] }]
  expect(await may({}, join)).toBe(false)
  expect(await may({ can_join_group: only(bob) }, join)).toBe(true)
  expect(await may({ can_join_group: only(bob) }, invite)).toBe(false)
  expect(await may({ can_add_members_group: only(bob) }, join)).toBe(true)
  expect(await may({ can_add_members_group: only(bob) }, invite)).toBe(true)
  const part = await create(bob, 'part')
  const mayPart = async (params: object) => {
    const id = await create(org.owner, `g ${Math.random()}`, { subgroups: [part], ...params })
    return (await change(bob, id, { delete_subgroups: [part] })).body.result === 'success'
  }
  expect(await mayPart({ can_manage_group: only(bob) })).toBe(true)
  expect(await mayPart({ can_remove_members_group: only(bob) })).toBe(false)
  const [leave, expel] = [{ delete: [bob.id] }, { delete: [carol.id] }]
  const both = [bob.id, carol.id]
  const nobody = org.group('role:nobody')
  expect(await may({}, leave, both)).toBe(true)
  expect(await may({ can_leave_group: nobody }, leave, both)).toBe(false)
  expect(await may({}, expel, both)).toBe(false)
  expect(await may({ can_remove_members_group: only(bob), can_leave_group: nobody }, leave, both)).toBe(true)
  expect(await may({ can_remove_members_group: only(bob) }, expel, both)).toBe(true)
  for (const changes of [join, invite]) expect(await may({ can_manage_group: only(bob) }, changes)).toBe(true)
  for (const changes of [leave, expel])
    expect(await may({ can_manage_group: only(bob) }, changes, both)).toBe(true)
  const guest = await org.person({ role: 'guest' })
  const open = await create(ann, 'open', { can_join_group: org.group('role:members') })
  expect((await change(guest, open, { add: [guest.id] })).body.msg).toBe('Not allowed for guest users')
})

test('membership is looked up through subgroups, unless the request excludes them', async () => {
  const org = await organization()
  const [ann, bob, gone] = [await org.person(), await org.person(), await org.person()]
  const inner = await create(ann, 'inner', { members: [bob.id, gone.id] })
  const outer = await create(ann, 'outer', { members: [ann.id], subgroups: [inner] })
  await org.owner.delete(`/users/${gone.id}`)
  const direct = { direct_member_only: true }
  const list = async (id: number, params: object = {}) =>
    (await ann.get(`/user_groups/${id}/members`, { ...params })).body.members
  expect(await list(outer)).toEqual([ann.id, bob.id])
  expect(await list(outer, direct)).toEqual([ann.id])
  expect(await list(org.group('role:members'))).toEqual([org.owner.id, ann.id, bob.id])
  const isIn = async (person: Person, params: object = {}) =>
    (await ann.get(`/user_groups/${outer}/members/${person.id}`, { ...params })).body.is_user_group_member
  expect([await isIn(bob), await isIn(bob, direct), await isIn(org.owner), await isIn(gone)]).toEqual([
    true,
    false,
    false,
    false,
  ])
  expect((await ann.get(`/user_groups/${outer}/members/99999`)).body.msg).toBe('No such user')
  expect((await ann.get('/user_groups/99999/members')).body.msg).toBe('Invalid user group')
})

test('joining a group shows users everything it gives access to, and leaving hides it', async () => {
  const org = await organization()
  const [ann, bob, carol] = [await org.person(), await org.person(), await org.person()]
  const inner = await create(ann, 'inner', { members: [carol.id] })
  const outer = await create(ann, 'outer')
  const secret = await org.channel({
    isPrivate: true,
    subscribers: [ann],
    permissions: { can_subscribe_group: { direct_members: [], direct_subgroups: [outer] } },
  })
  const clients = [await bob.register(), await carol.register()] as const
  const news = async (index: 0 | 1) =>
    (await clients[index].events()).filter(({ type }) => type !== 'message' && type !== 'user_group')
  const seen = [
    { op: 'create', streams: [{ stream_id: secret.id }] },
    { op: 'peer_add', user_ids: [ann.id] },
  ]
  const lost = [{ type: 'stream', op: 'delete', stream_ids: [secret.id] }]
  await change(ann, outer, { add: [bob.id] })
  expect(await news(0)).toMatchObject(seen)
  await change(ann, outer, { add_subgroups: [inner] })
  expect(await news(1)).toMatchObject(seen)
  for (const client of clients) await client.expectStateToMatch()
  await change(ann, inner, { delete: [carol.id], add: [bob.id] })
  expect(await news(1)).toMatchObject(lost)
  await change(ann, outer, { delete: [bob.id] })
  expect(await news(0)).toEqual([])
  await change(ann, outer, { delete_subgroups: [inner] })
  expect(await news(0)).toMatchObject(lost)
  for (const client of clients) await client.expectStateToMatch()
  expect((await bob.get(`/streams/${secret.id}`)).body.msg).toBe('Invalid channel ID')
})

test('a channel that many users gain concurrently is logged once', async () => {
  const org = await organization()
  const people: Person[] = [await org.person()]
  while (people.length < 20) people.push(await org.person())
  const inner = await create(org.owner, 'inner', { members: people.map((person) => person.id) })
  const outer = await create(org.owner, 'outer')
  const granting = { can_subscribe_group: { direct_members: [], direct_subgroups: [outer] } }
  const channels = await Promise.all([
    org.channel({ isPrivate: true, subscribers: [org.owner], permissions: granting }),
    org.channel({ isPrivate: true, permissions: granting }),
  ])
  const client = await people[7]!.register()
  const before = org.state.position
  await change(org.owner, outer, { add_subgroups: [inner] })
  expect((await client.events()).map(({ op }) => op)).toEqual([
    'add_subgroups',
    'create',
    'peer_add',
    'create',
  ])
  await change(org.owner, outer, { delete_subgroups: [inner] })
  const stream_ids = channels.map(({ id }) => id)
  expect(await client.events()).toMatchObject([{ op: 'remove_subgroups' }, { op: 'delete', stream_ids }])
  expect(org.state.position - before).toBe(6)
  await client.expectStateToMatch()
})
