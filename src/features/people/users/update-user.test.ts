import { expect, test } from 'vitest'
import { success } from '../../../../test/http.ts'
import { cast, type Organization } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

const ownersOnly = { msg: 'Must be an organization owner', code: 'UNAUTHORIZED_PRINCIPAL' }

const setting = async () => cast(await organization())

function mayChangeEmails(org: Organization, { id }: Person) {
  return org.log.commit((change) => change.update('account', { id, can_change_user_emails: true }))
}

test('an administrator renames a user, and all users are notified', async () => {
  const { admin, anna, guest } = await setting()
  const client = await guest.register()
  expect((await admin.patch(`/users/${anna.id}`, { full_name: ' Anna Arp ' })).body).toEqual(success)
  expect((await admin.patch(`/users/${anna.email}`, { full_name: 'Anna Berg' })).body).toEqual(success)
  expect(await client.events()).toMatchObject([
    { type: 'realm_user', op: 'update', person: { user_id: anna.id, full_name: 'Anna Arp' } },
    { type: 'realm_user', op: 'update', person: { user_id: anna.id, full_name: 'Anna Berg' } },
  ])
  await client.expectStateToMatch()
})

test('a change without effect notifies no user', async () => {
  const { org, anna } = await setting()
  const client = await anna.register()
  for (const params of [
    {},
    { full_name: 'Anna' },
    { full_name: ' ' },
    { role: 400 },
    { new_email: anna.email },
  ]) {
    expect((await org.owner.patch(`/users/${anna.id}`, params)).body).toEqual(success)
  }
  expect(await client.events()).toEqual([])
})

test('names are validated', async () => {
  const { admin, anna } = await setting()
  for (const [full_name, msg] of [
    ['a`b', 'Invalid characters in name!'],
    ['x|12', 'Invalid format!'],
    ['y'.repeat(101), 'Name too long!'],
    ['y', 'Name too short!'],
  ]) {
    const { body } = await admin.patch(`/users/${anna.id}`, { full_name })
    expect(body).toEqual({ result: 'error', msg, code: 'BAD_REQUEST' })
  }
})

test('members cannot change other users', async () => {
  const { org, anna, guest } = await setting()
  const client = await guest.register()
  for (const params of [{ full_name: 'Otto' }, { role: 100 }]) {
    for (const target of [org.owner.id, anna.id]) {
      const { status, body } = await anna.patch(`/users/${target}`, params)
      expect({ status, ...body }).toMatchObject({
        status: 400,
        msg: 'Insufficient permission',
        code: 'BAD_REQUEST',
      })
    }
  }
  expect((await anna.patch('/users/99999999', { full_name: 'Otto' })).body.msg).toBe('No such user')
  expect(await client.events()).toEqual([])
})

test('a new role changes the system groups', async () => {
  const { org, anna, guest } = await setting()
  const [client, own] = [await guest.register(), await anna.register()]
  const changed = (role: number) => ({ type: 'realm_user', op: 'update', person: { user_id: anna.id, role } })
  const group = (op: string, name: Parameters<Organization['group']>[0]) => {
    return { type: 'user_group', op, group_id: org.group(name), user_ids: [anna.id] }
  }
  const events = async (role: number) => {
    expect((await org.owner.patch(`/users/${anna.id}`, { role })).body).toEqual(success)
    return client.events()
  }
  expect(await events(300)).toMatchObject([
    changed(300),
    group('remove_members', 'role:members'),
    group('add_members', 'role:moderators'),
    group('remove_members', 'role:fullmembers'),
  ])
  expect(await events(200)).toMatchObject([
    changed(200),
    group('remove_members', 'role:moderators'),
    group('add_members', 'role:administrators'),
  ])
  expect(await events(100)).toMatchObject([
    changed(100),
    group('remove_members', 'role:administrators'),
    group('add_members', 'role:owners'),
  ])
  expect(await events(600)).toMatchObject([
    changed(600),
    group('remove_members', 'role:owners'),
    group('add_members', 'role:everyone'),
  ])
  expect(await events(400)).toMatchObject([
    changed(400),
    group('remove_members', 'role:everyone'),
    group('add_members', 'role:members'),
    group('add_members', 'role:fullmembers'),
  ])
  await client.expectStateToMatch()
  await own.expectStateToMatch()
})

test('a new role shows channels and hides them', async () => {
  const { org, admin, anna } = await setting()
  const open = await org.channel({ subscribers: [admin] })
  const own = await org.channel({ subscribers: [anna] })
  const secret = await org.channel({ isPrivate: true, subscribers: [admin] })
  const client = await anna.register({ event_types: ['stream', 'subscription'] })
  const other = await admin.register({ event_types: ['stream', 'subscription'] })
  await org.owner.patch(`/users/${anna.id}`, { role: 200 })
  expect(await client.events()).toMatchObject([
    { type: 'stream', op: 'create', streams: [{ stream_id: secret.id }] },
    { type: 'subscription', op: 'peer_add', stream_ids: [secret.id], user_ids: [admin.id] },
  ])
  await client.expectStateToMatch()
  await org.owner.patch(`/users/${anna.id}`, { role: 600 })
  const [lost] = await client.events()
  expect(lost).toMatchObject({ type: 'stream', op: 'delete' })
  expect(lost?.stream_ids.sort()).toEqual([open.id, secret.id].sort())
  expect(lost?.stream_ids).not.toContain(own.id)
  await client.expectStateToMatch()
  expect(await other.events()).toEqual([])
})

test('only owners make and unmake owners, and one owner always remains', async () => {
  const { org, admin, anna } = await setting()
  expect((await admin.patch(`/users/${anna.id}`, { role: 100 })).body).toMatchObject(ownersOnly)
  expect((await admin.patch(`/users/${org.owner.id}`, { role: 400 })).body).toMatchObject(ownersOnly)
  expect((await org.owner.patch(`/users/${org.owner.id}`, { role: 400 })).body).toEqual({
    result: 'error',
    msg: 'The owner permission cannot be removed from the only organization owner.',
    code: 'BAD_REQUEST',
  })
  expect((await admin.patch(`/users/${anna.id}`, { role: 300 })).body).toEqual(success)
  expect((await org.owner.patch(`/users/${anna.id}`, { role: 100 })).body).toEqual(success)
  // Both changes together would leave no owner.
  const answers = await Promise.all([
    org.owner.patch(`/users/${anna.id}`, { role: 400 }),
    anna.patch(`/users/${org.owner.id}`, { role: 400 }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('only existing roles are accepted', async () => {
  const { org, anna } = await setting()
  for (const [role, msg] of [
    ['500', 'Invalid role: Value error, Not in the list of possible values'],
    ['"400"', 'role is not an integer'],
    ['null', 'role is not an integer'],
    ['{bad', 'role is not valid JSON'],
  ]) {
    expect((await org.owner.patch(`/users/${anna.id}`, { role })).body).toMatchObject({
      msg,
      code: 'BAD_REQUEST',
    })
  }
})

test('an owner with the permission changes email addresses', async () => {
  const { org, anna, guest } = await setting()
  const change = { new_email: 'anna@new.example.com' }
  expect((await org.owner.patch(`/users/${anna.id}`, change)).body).toMatchObject({
    msg: 'User not authorized to change user emails',
    code: 'BAD_REQUEST',
  })
  await mayChangeEmails(org, org.owner)
  const client = await guest.register()
  expect((await org.owner.patch(`/users/${anna.id}`, change)).body).toEqual(success)
  expect(await client.events()).toMatchObject([
    { type: 'realm_user', op: 'update', person: { user_id: anna.id, delivery_email: change.new_email } },
    { type: 'realm_user', op: 'update', person: { user_id: anna.id, new_email: change.new_email } },
    { type: 'realm_user', op: 'update', person: { user_id: anna.id, avatar_version: 1, avatar_source: 'G' } },
  ])
  await client.expectStateToMatch()
  expect((await org.owner.get(`/users/${change.new_email}`)).body.user.user_id).toBe(anna.id)
})

test('a new email address must be valid and free, and takes an owner', async () => {
  const { org, admin, anna } = await setting()
  await mayChangeEmails(org, org.owner)
  await mayChangeEmails(org, admin)
  const change = (who: Person, new_email: string) => who.patch(`/users/${anna.id}`, { new_email })
  expect((await change(org.owner, 'nonsense')).body.msg).toBe('Invalid new email address.')
  expect((await change(org.owner, admin.email.toUpperCase())).body.msg).toBe('Email is already in use.')
  expect((await change(admin, 'anna@new.example.com')).body).toMatchObject(ownersOnly)
})

test('users who do not see an email address receive no new one', async () => {
  const { org, admin, anna, guest } = await setting()
  await mayChangeEmails(org, org.owner)
  await anna.patch('/settings', { email_address_visibility: 3 })
  const [adapters, inside] = [await guest.register(), await admin.register()]
  await org.owner.patch(`/users/${anna.id}`, { new_email: 'anna@new.example.com' })
  expect(await adapters.events()).toEqual([])
  expect(await inside.events()).toMatchObject([
    { person: { user_id: anna.id, delivery_email: 'anna@new.example.com' } },
  ])
  await inside.expectStateToMatch()
})

test('a user who is no longer a guest receives the default channels for new users', async () => {
  const { org, anna, guest } = await setting()
  const channel = await org.channel({ isDefault: true, subscribers: [anna] })
  const clients = [await anna.register(), await guest.register()]
  await org.owner.patch(`/users/${guest.id}`, { role: 400 })
  await org.owner.patch(`/users/${anna.id}`, { role: 600 })
  for (const client of clients) await client.expectStateToMatch()
  const fresh = await guest.register()
  expect(fresh.state.realm_default_streams).toEqual([channel.id])
})
