import { expect, test } from 'vitest'
import type { Organization } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

const dora = { email: 'dora@example.com', full_name: 'Dora Diaz', password: 'swordfish 12' }

test('an administrator creates a user, and all users are notified', async () => {
  const org = await organization()
  const guest = await org.person({ role: 'guest' })
  const channel = await org.channel({ isDefault: true, subscribers: [org.owner] })
  await org.channel()
  const [owners, guests] = [await org.owner.register(), await guest.register()]
  const { body } = await org.owner.post('/users', dora)
  expect(body).toEqual({ result: 'success', msg: '', user_id: expect.any(Number) })
  const id: number = body.user_id
  const added = {
    type: 'realm_user',
    op: 'add',
    person: {
      user_id: id,
      email: dora.email,
      delivery_email: dora.email,
      full_name: 'Dora Diaz',
      role: 400,
      is_active: true,
      avatar_url: expect.stringMatching(`^/user_avatars/${org.id}/drawn/${id}\\.png`),
      profile_data: {},
    },
  }
  const joined = (group: number) => ({
    type: 'user_group',
    op: 'add_members',
    group_id: group,
    user_ids: [id],
  })
  const groups = [joined(org.group('role:members')), joined(org.group('role:fullmembers'))]
  const subscribed = { type: 'subscription', op: 'peer_add', stream_ids: [channel.id], user_ids: [id] }
  expect(await owners.events()).toMatchObject([added, ...groups, subscribed])
  expect(await guests.events()).toMatchObject([added, ...groups])
  await owners.expectStateToMatch()
  await guests.expectStateToMatch()
  expect(org.state.subscription(id, channel.id)).toBeDefined()
})

test('users who cannot see the new email address are not sent it', async () => {
  const org = await organization()
  const member = await org.person()
  await org.owner.patch('/realm/user_settings_defaults', { email_address_visibility: 3 })
  const [owners, members] = [await org.owner.register(), await member.register()]
  const { user_id } = (await org.owner.post('/users', dora)).body
  const [toOwner] = await owners.events()
  const [toMember] = await members.events()
  const email = `user${user_id}@${org.place.host}`
  expect(toOwner?.person).toMatchObject({ email, delivery_email: dora.email })
  expect(toMember?.person).toMatchObject({ email, delivery_email: null })
  await owners.expectStateToMatch()
  await members.expectStateToMatch()
})

test('only administrators with the permission can create users', async () => {
  const org = await organization()
  const [member, admin] = await Promise.all([org.person(), org.person({ role: 'administrator' })])
  const client = await member.register()
  expect((await member.post('/users', dora)).body).toMatchObject({
    msg: 'Must be an organization administrator',
    code: 'UNAUTHORIZED_PRINCIPAL',
  })
  expect((await admin.post('/users', dora)).body).toMatchObject({
    msg: 'User not authorized to create users',
    code: 'BAD_REQUEST',
  })
  expect(await client.events()).toEqual([])
})

test.each([
  [{ full_name: 'N' }, 'Name too short!'],
  [{ full_name: ' N ' }, 'Name too short!'],
  [{ full_name: 'N'.repeat(101) }, 'Name too long!'],
  [{ full_name: 'No **bold**' }, 'Invalid characters in name!'],
  [{ full_name: 'Two\nlines' }, 'Invalid characters in name!'],
  [{ full_name: 'Dora|12' }, 'Invalid format!'],
  [{ email: 'dora' }, 'Enter a valid email address.'],
  [{ email: 'dora@' }, 'Enter a valid email address.'],
  [{ email: 'a b@example.com' }, 'Enter a valid email address.'],
  [{ email: 'dora@-example.com' }, 'Enter a valid email address.'],
  [{ password: 'abc' }, 'The password is too weak.'],
  [{ password: 'aaaaaaaaaa' }, 'The password is too weak.'],
  [{ password: 'password' }, 'The password is too weak.'],
  [{ password: 'P@ssw0rd' }, 'The password is too weak.'],
  [{ password: 'example.com' }, 'The password is too weak.'],
  [{ password: 'doradiaz' }, 'The password is too weak.'],
  [{ password: 'x'.repeat(101) }, 'password is too long (limit: 100 characters)'],
])('rejects %o', async (change, msg) => {
  const org = await theOrganization()
  const { status, body } = await org.owner.post('/users', { ...dora, ...change })
  expect({ status, ...body }).toEqual({ status: 400, result: 'error', msg, code: 'BAD_REQUEST' })
})

let shared: Promise<Organization> | undefined
function theOrganization() {
  shared ??= organization()
  return shared
}

test('an email address belongs to one user, whatever its case, and placeholder addresses are refused', async () => {
  const org = await organization()
  const standIn = `user${org.owner.id}@${org.place.host}`
  for (const email of [org.owner.email, org.owner.email.toUpperCase(), standIn]) {
    const { body } = await org.owner.post('/users', { ...dora, email })
    expect(body).toEqual({ result: 'error', msg: 'Email is already in use.', code: 'BAD_REQUEST' })
  }
})

test('of two concurrent requests to create the same user, one succeeds', async () => {
  const org = await organization()
  const answers = await Promise.all([org.owner.post('/users', dora), org.owner.post('/users', dora)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
})
