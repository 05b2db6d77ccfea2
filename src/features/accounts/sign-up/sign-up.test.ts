import { expect, test } from 'vitest'
import { keyMailedTo, mailsTo } from '../../../../test/mailbox.ts'
import { messagesOf } from '../../../../test/messages.ts'
import type { Organization } from '../../../../test/organization.ts'
import { Caller, Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'
import { signUpLimits } from './limits.ts'

const all = testServer()
const { organization } = all

const email = 'dora@example.com'
const dora = { full_name: 'Dora Diaz', password: 'swordfish 12' }

async function invited(org: Organization, terms: object = {}, by = org.owner) {
  const { body } = await by.post('/invites', { invitee_emails: email, stream_ids: [], ...terms })
  expect(body.result).toBe('success')
  return keyMailedTo(org, email)
}

function complete(org: Organization, key: string, account: object = dora) {
  return org.visitor.post(`/rookery/sign_ups/${key}`, { ...account })
}

/** Returns the messages from bots to a user. */
async function told(person: Person): Promise<string[]> {
  const messages = await messagesOf(person, { narrow: [{ operator: 'is', operand: 'dm' }] })
  return messages.map(({ sender_full_name: from, content }) => `${from}: ${content}`)
}

test('an invitation grants a role, channels and groups, and emits the events', async () => {
  const org = await organization()
  const [bob, carol, guest] = await Promise.all([
    org.person({ role: 'administrator' }),
    org.person(),
    org.person({ role: 'guest' }),
  ])
  const usual = await org.channel({ isDefault: true })
  const secret = await org.channel({ isPrivate: true, subscribers: [bob] })
  const unused = await org.channel()
  const made = await org.owner.post('/user_groups/create', { name: 'g', description: '', members: [bob.id] })
  await org.owner.patch(`/user_groups/${made.body.group_id}`, {
    can_add_members_group: { new: org.group('role:administrators') },
  })
  const key = await invited(
    org,
    {
      invite_as: 300,
      stream_ids: [secret.id],
      group_ids: [made.body.group_id],
      include_realm_default_subscriptions: true,
    },
    bob,
  )
  expect((await org.visitor.get(`/rookery/sign_ups/${key}`)).body).toMatchObject({
    email,
    role: 300,
    invited_by: bob.name,
    realm_name: org.state.row.name,
  })
  const clients = await Promise.all([bob, carol, guest].map((one) => one.register()))
  const { body } = await complete(org, key)
  expect(body).toMatchObject({ result: 'success', email, user_id: expect.any(Number) })
  const id: number = body.user_id
  const [toBob, toCarol, toGuest] = await Promise.all(clients.map((client) => client.events()))
  const added = { type: 'realm_user', op: 'add', person: { user_id: id, full_name: 'Dora Diaz', role: 300 } }
  const joins = (group_id: number) => ({ type: 'user_group', op: 'add_members', group_id, user_ids: [id] })
  const people = [added, joins(org.group('role:moderators'))]
  const subscribed = (channel: number) => ({ op: 'peer_add', stream_ids: [channel], user_ids: [id] })
  expect(toBob).toMatchObject([
    ...people,
    subscribed(usual.id),
    subscribed(secret.id),
    joins(made.body.group_id),
    { type: 'message', message: { sender_full_name: 'Notification Bot' } },
    { type: 'invites_changed' },
  ])
  expect(toCarol).toMatchObject([...people, subscribed(usual.id), joins(made.body.group_id)])
  expect(toGuest).toMatchObject([...people, joins(made.body.group_id)])
  for (const client of clients) await client.expectStateToMatch()
  const person = new Person(org.place, { id, name: dora.full_name, email, key: body.api_key })
  const { subscriptions } = (await person.get('/users/me/subscriptions')).body
  const ids = subscriptions.map((one: { stream_id: number }) => one.stream_id)
  expect(ids.sort()).toEqual([usual.id, secret.id].sort())
  expect(ids).not.toContain(unused.id)
  expect(await told(person)).toEqual([expect.stringMatching(/^Welcome Bot: Hello/)])
  expect(await told(bob)).toEqual([`Notification Bot: @_**Dora Diaz|${id}** has accepted your invitation.`])
  expect((await org.owner.get('/invites')).body.invites).toEqual([])
})

test('an inviter can opt out of the notification', async () => {
  const org = await organization()
  const key = await invited(org, { notify_referrer_on_join: false })
  await complete(org, key)
  expect(await told(org.owner)).toEqual([])
})

test('of concurrent uses of a link on several nodes, one creates an account', async () => {
  const org = await organization()
  const { port } = await all.anotherNode()
  const elsewhere = new Caller({ ...org.place, port })
  const key = await invited(org)
  const there = () => elsewhere.post(`/rookery/sign_ups/${key}`, dora)
  const answers = await Promise.all([complete(org, key), there(), complete(org, key), there()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
  const people = [...org.state.users.values()].filter((user) => user.delivery_email === email)
  expect(people).toHaveLength(1)
  const again = await complete(org, key, { ...dora, full_name: 'Another' })
  expect(again.body.msg).toMatch(/^This link is no longer valid\. If you have joined already, sign in/)
})

test('an invitation ends when it expires, or when its address has joined in another way', async () => {
  const org = await organization()
  const short = await invited(org, { invite_expires_in_minutes: 1 })
  all.pass(61)
  expect((await complete(org, short)).status).toBe(400)
  const [first, second] = [await invited(org), await invited(org)]
  expect((await complete(org, first)).status).toBe(200)
  expect((await org.visitor.get(`/rookery/sign_ups/${second}`)).status).toBe(400)
})

test('leaves out channels and groups that were archived or deactivated in the meantime', async () => {
  const org = await organization()
  const [old, kept] = [await org.channel(), await org.channel()]
  const { group_id } = (
    await org.owner.post('/user_groups/create', { name: 'g', description: '', members: [] })
  ).body
  const key = await invited(org, { stream_ids: [old.id, kept.id], group_ids: [group_id] })
  await org.owner.delete(`/streams/${old.id}`)
  await org.owner.post(`/user_groups/${group_id}/deactivate`)
  const { user_id } = (await complete(org, key)).body
  expect(org.state.subscription(user_id, old.id)).toBeUndefined()
  expect(org.state.subscription(user_id, kept.id)).toBeDefined()
  expect(org.state.groupMembers.get(group_id, user_id)).toBeUndefined()
})

test.each([
  [{ full_name: 'D' }, 'Name too short!'],
  [{ full_name: 'D**' }, 'Invalid characters in name!'],
  [{ password: 'abc' }, 'The password is too weak.'],
  [{ password: 'letmein' }, 'The password is too weak.'],
  [{ password: 'doradiaz' }, 'The password is too weak.'],
  [{ password: 'x'.repeat(101) }, 'password is too long (limit: 100 characters)'],
])('%o is rejected, and the link stays valid', async (change, msg) => {
  const org = await organization()
  const key = await invited(org)
  expect((await complete(org, key, { ...dora, ...change })).body).toMatchObject({ msg })
  expect((await complete(org, key)).status).toBe(200)
})

test('announces a new user where the organization wants it', async () => {
  const org = await organization()
  const channel = await org.channel({ subscribers: [org.owner] })
  await org.owner.patch('/realm', { signup_announcements_stream_id: channel.id })
  const client = await org.owner.register({ event_types: ['message'] })
  const { user_id } = (await complete(org, await invited(org, { notify_referrer_on_join: false }))).body
  const [event, ...more] = await client.events()
  expect(more).toEqual([])
  expect(event!.message).toMatchObject({ stream_id: channel.id, subject: 'signups' })
  expect(event!.message.content).toContain(`data-user-id="${user_id}">Dora Diaz`)
})

test('an open organization mails a key to the address', async () => {
  const org = await organization()
  const asked = () => org.visitor.post('/rookery/sign_ups', { email })
  expect((await asked()).body.msg).toBe(
    'You need an invitation to join this organization. Ask a member for one.',
  )
  expect(await mailsTo(org, email)).toEqual([])
  await org.owner.patch('/realm', { invite_required: false })
  const usual = await org.channel({ isDefault: true })
  expect((await asked()).body).toEqual({ result: 'success', msg: '' })
  const key = await keyMailedTo(org, email)
  await org.owner.patch('/realm', { invite_required: true })
  expect((await complete(org, key)).status).toBe(400)
  await org.owner.patch('/realm', { invite_required: false })
  const { user_id } = (await complete(org, key)).body
  expect(org.state.users.get(user_id)).toMatchObject({ delivery_email: email, role: 400 })
  expect(org.state.subscription(user_id, usual.id)).toBeDefined()
})

test('checks allowed domains when asking and when joining', async () => {
  const org = await organization()
  await org.owner.patch('/realm', { invite_required: false })
  await org.visitor.post('/rookery/sign_ups', { email })
  const key = await keyMailedTo(org, email)
  await org.owner.patch('/realm', { emails_restricted_to_domains: true })
  const msg = `Email '${email}' not allowed in this organization`
  expect((await org.visitor.post('/rookery/sign_ups', { email })).body).toMatchObject({ msg })
  expect((await complete(org, key)).body).toMatchObject({ msg })
})

test('only its owner learns whether an address has an account', async () => {
  const org = await organization()
  await org.owner.patch('/realm', { invite_required: false })
  const bob = await org.person()
  const ask = async (email: string) => (await org.visitor.post('/rookery/sign_ups', { email })).body
  expect(await ask(bob.email.toUpperCase())).toEqual(await ask(email))
  const [mail] = await mailsTo(org, bob.email)
  expect(mail!.text).toContain('you already have an account there.')
  expect(mail!.text).not.toContain('do_confirm')
})

test('limits the mails to an address per hour', async () => {
  const org = await organization()
  await org.owner.patch('/realm', { invite_required: false })
  const ask = async () => (await org.visitor.post('/rookery/sign_ups', { email })).status
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 429])
  expect(await mailsTo(org, email)).toHaveLength(3)
  all.pass(3_600)
  expect(await ask()).toBe(200)
})

test('where passwords are disabled, users cannot join with one', async () => {
  const org = await organization()
  const key = await invited(org)
  await org.owner.patch('/realm', { invite_required: false })
  const settings = { ...org.state.row.settings, authentication_methods: { Email: false } }
  await org.log.commit((change) => change.update('realm', { id: org.id, settings }))
  for (const { status, body } of [
    await complete(org, key),
    await org.visitor.post('/rookery/sign_ups', { email }),
  ]) {
    expect([status, body.code]).toEqual([401, 'PASSWORD_AUTH_DISABLED'])
  }
})

test('users cannot join a deactivated organization', async () => {
  const org = await organization()
  const key = await invited(org)
  await org.owner.post('/realm/deactivate')
  expect((await complete(org, key)).body.code).toBe('REALM_DEACTIVATED')
})

test('a key of one organization is invalid in another', async () => {
  const [org, other] = [await organization(), await organization()]
  const key = await invited(org)
  expect((await complete(other, key)).status).toBe(400)
  expect((await complete(org, key)).status).toBe(200)
})

test('limits the pending sign-ups of an organization', async () => {
  const org = await organization()
  await org.owner.patch('/realm', { invite_required: false })
  await org.log.commit((change) =>
    change.insertAll(
      'sign_up',
      Array.from({ length: signUpLimits.signUpsWaiting }, (_, i) => ({
        email: `q${i}@example.com`,
        key_hash: `${i}`,
        created_at: change.now,
        expires_at: change.now + 60,
      })),
    ),
  )
  const ask = async () => (await org.visitor.post('/rookery/sign_ups', { email })).status
  expect(await ask()).toBe(429)
  expect(await mailsTo(org, email)).toEqual([])
  all.pass(60)
  expect(await ask()).toBe(200)
})

test('limits the mails per network and hour', async () => {
  const org = await organization()
  await org.owner.patch('/realm', { invite_required: false })
  const ask = async (i: number) => {
    return (await org.visitor.post('/rookery/sign_ups', { email: `p${i}@example.com` })).status
  }
  let asked = 0
  while (asked < signUpLimits.signUpMailsPerHourAndPlace && (await ask(asked)) === 200) asked += 1
  expect(await ask(asked)).toBe(429)
  expect(await mailsTo(org, `p${asked}@example.com`)).toEqual([])
})
