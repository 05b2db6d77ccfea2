import { expect, test } from 'vitest'
import { success } from '../../../../../test/http.ts'
import { keyMailedTo, mailsTo } from '../../../../../test/mailbox.ts'
import { testServer } from '../../../../../test/test-server.ts'

const all = testServer()
const { organization } = all

const changed = [{ type: 'invites_changed', id: expect.any(Number) }]

test('an invitation is mailed, and only administrators and the inviter are notified', async () => {
  const org = await organization()
  const [admin, bob, carol, guest] = await Promise.all([
    org.person({ role: 'administrator' }),
    org.person({ name: 'Bob' }),
    org.person(),
    org.person({ role: 'guest' }),
  ])
  const clients = await Promise.all([org.owner, admin, bob, carol, guest].map((one) => one.register()))
  const asked = { invitee_emails: 'dora@example.com', stream_ids: [], invite_expires_in_minutes: 60 }
  expect((await bob.post('/invites', asked)).body).toEqual(success)
  expect(await Promise.all(clients.map((client) => client.events()))).toEqual([
    changed,
    changed,
    changed,
    [],
    [],
  ])
  for (const client of clients) await client.expectStateToMatch()
  const [mail, ...more] = await mailsTo(org, 'dora@example.com')
  expect(more).toEqual([])
  expect(mail).toMatchObject({ kind: 'invitation', subject: expect.stringContaining('Bob') })
  expect(mail!.text).toMatch(/http:\/\/org\d+\.chat\.test\/accounts\/do_confirm\/[a-z2-7]{24}\n/)
})

test('administrators see all pending invitations, other users their own', async () => {
  const org = await organization()
  const [bob, carol, guest] = await Promise.all([org.person(), org.person(), org.person({ role: 'guest' })])
  await org.owner.post('/invites', { invitee_emails: 'one@example.com', stream_ids: [], invite_as: 600 })
  await bob.post('/invites', {
    invitee_emails: 'two@example.com',
    stream_ids: [],
    invite_expires_in_minutes: null,
    notify_referrer_on_join: false,
  })
  await bob.post('/invites', {
    invitee_emails: 'over@example.com',
    stream_ids: [],
    invite_expires_in_minutes: -1,
  })
  const { invite_link } = (await org.owner.post('/invites/multiuse')).body
  const times = { id: expect.any(Number), invited: expect.any(Number) }
  const first = {
    ...times,
    email: 'one@example.com',
    invited_by_user_id: org.owner.id,
    expiry_date: expect.any(Number),
    invited_as: 600,
    is_multiuse: false,
    notify_referrer_on_join: true,
  }
  const second = {
    ...times,
    email: 'two@example.com',
    invited_by_user_id: bob.id,
    expiry_date: null,
    invited_as: 400,
    is_multiuse: false,
    notify_referrer_on_join: false,
  }
  const link = {
    ...times,
    invited_by_user_id: org.owner.id,
    expiry_date: expect.any(Number),
    invited_as: 400,
    is_multiuse: true,
    link_url: invite_link,
  }
  const { invites } = (await org.owner.get('/invites')).body
  expect(invites).toEqual([first, second, link])
  expect(invites[0].expiry_date - invites[0].invited).toBe(10 * 86_400)
  expect((await bob.get('/invites')).body.invites).toEqual([second])
  expect((await carol.get('/invites')).body.invites).toEqual([])
  expect((await guest.get('/invites')).body.msg).toBe('Not allowed for guest users')
})

test('a link that creates owners is hidden from administrators, who could use it', async () => {
  const org = await organization()
  const admin = await org.person({ role: 'administrator' })
  await org.owner.post('/invites/multiuse', { invite_as: 100 })
  expect((await org.owner.get('/invites')).body.invites).toHaveLength(1)
  expect((await admin.get('/invites')).body.invites).toEqual([])
})

test('parses addresses in lines or separated by commas, with or without names, and removes duplicates', async () => {
  const org = await organization()
  const invitee_emails = 'a@example.com, "B. B." <b@example.com>,\nA@Example.com\r\n\n c@example.com ,'
  expect((await org.owner.post('/invites', { invitee_emails, stream_ids: [] })).body).toEqual(success)
  const { invites } = (await org.owner.get('/invites')).body
  expect(invites.map((one: { email: string }) => one.email)).toEqual([
    'a@example.com',
    'b@example.com',
    'c@example.com',
  ])
})

test('existing users are not invited, but all others are', async () => {
  const org = await organization()
  const [bob, gone] = await Promise.all([org.person(), org.person()])
  await org.owner.delete(`/users/${gone.id}`)
  const client = await org.owner.register()
  const invite = async (invitee_emails: string) => {
    return (await org.owner.post('/invites', { invitee_emails, stream_ids: [] })).body
  }
  const failed = {
    result: 'error',
    code: 'INVITATION_FAILED',
    license_limit_reached: false,
    daily_limit_reached: false,
  }
  expect(await invite(bob.email)).toEqual({
    ...failed,
    msg: "We weren't able to invite anyone.",
    errors: [[bob.email, 'Already has an account.', false]],
    sent_invitations: false,
  })
  expect(await client.events()).toEqual([])
  expect(await invite(`${gone.email.toUpperCase()},new@example.com`)).toEqual({
    ...failed,
    msg: expect.any(String),
    errors: [[gone.email.toUpperCase(), 'Account has been deactivated.', true]],
    sent_invitations: true,
  })
  expect(await client.events()).toEqual(changed)
  expect(await mailsTo(org, 'new@example.com')).toHaveLength(1)
  expect(await invite('good@example.com,bad')).toEqual({
    ...failed,
    msg: "Some emails did not validate, so we didn't send any invitations.",
    errors: [['bad', 'Invalid address.', false]],
    sent_invitations: false,
  })
  expect(await mailsTo(org, 'good@example.com')).toEqual([])
})

test.each([
  [{ invitee_emails: '' }, 'You must specify at least one email address.'],
  [{ invitee_emails: ' ,\n' }, 'You must specify at least one email address.'],
  [{ stream_ids: [99_999] }, 'Invalid channel ID 99999. No invites were sent.'],
  [{ group_ids: [99_999] }, 'Invalid user group'],
  [{ invite_as: 7 }, 'Invalid invite_as: Value error, Not in the list of possible values'],
  [{ invite_as: null }, 'invite_as is not an integer'],
])('rejects %o', async (change, msg) => {
  const org = await organization()
  const { status, body } = await org.owner.post('/invites', {
    invitee_emails: 'a@example.com',
    stream_ids: [],
    ...change,
  })
  expect({ status, ...body }).toEqual({ status: 400, result: 'error', code: 'BAD_REQUEST', msg })
})

test('inviters need the permission, and cannot grant more than they have', async () => {
  const org = await organization()
  const [admin, moderator, bob] = await Promise.all([
    org.person({ role: 'administrator' }),
    org.person({ role: 'moderator' }),
    org.person(),
  ])
  const secret = await org.channel({ isPrivate: true, subscribers: [org.owner] })
  const open = await org.channel()
  const { group_id } = (
    await org.owner.post('/user_groups/create', { name: 'g', description: '', members: [] })
  ).body
  const msg = async (who: typeof bob, terms: object, path = '/invites') => {
    const asked = { invitee_emails: `${Math.random()}@example.com`, stream_ids: [], ...terms }
    return (await who.post(path, asked)).body.msg
  }
  expect(await msg(admin, { invite_as: 100 })).toBe('Must be an organization owner')
  expect(await msg(admin, { invite_as: 200 })).toBe('')
  expect(await msg(moderator, { invite_as: 300 })).toBe('Must be an organization administrator')
  expect(await msg(bob, { invite_as: 600 })).toBe('')
  expect(await msg(bob, { stream_ids: [secret.id] })).toBe(
    `Invalid channel ID ${secret.id}. No invites were sent.`,
  )
  expect(await msg(bob, { stream_ids: [open.id] })).toBe('')
  expect(await msg(bob, { group_ids: [group_id] })).toBe('Insufficient permission')
  expect(await msg(org.owner, { group_ids: [org.group('role:owners')] })).toBe('Insufficient permission')
  expect(await msg(bob, {}, '/invites/multiuse')).toBe('Insufficient permission')
  expect(await msg(admin, { invite_as: 100 }, '/invites/multiuse')).toBe('Must be an organization owner')
  await org.owner.patch('/realm', { can_add_subscribers_group: { new: org.group('role:administrators') } })
  expect(await msg(bob, { stream_ids: [open.id] })).toBe(
    'You do not have permission to subscribe other users to channels.',
  )
  await org.owner.patch('/realm', { can_invite_users_group: { new: org.group('role:administrators') } })
  expect(await msg(bob, {})).toBe('Insufficient permission')
  expect(await msg(admin, {})).toBe('')
})

test('its inviter or an administrator can revoke an invitation once', async () => {
  const org = await organization()
  const [bob, carol] = await Promise.all([org.person(), org.person()])
  await bob.post('/invites', { invitee_emails: 'a@example.com, b@example.com', stream_ids: [] })
  const [first, second] = (await bob.get('/invites')).body.invites
  const key = await keyMailedTo(org, first.email)
  const client = await bob.register()
  expect((await carol.delete(`/invites/${first.id}`)).body.msg).toBe('Must be an organization administrator')
  expect(await client.events()).toEqual([])
  expect((await org.owner.delete(`/invites/${first.id}`)).body).toEqual(success)
  expect((await bob.delete(`/invites/${second.id}`)).body).toEqual(success)
  expect(await client.events()).toEqual([...changed, ...changed])
  expect((await bob.delete(`/invites/${first.id}`)).body.msg).toBe('No such invitation')
  expect((await bob.post(`/invites/${first.id}/resend`)).body.msg).toBe('No such invitation')
  expect((await bob.delete('/invites/9007199254740993')).body.msg).toBe('No such invitation')
  expect((await org.visitor.get(`/rookery/sign_ups/${key}`)).status).toBe(400)
})

test('a link can be revoked once, and not as an invitation by mail', async () => {
  const org = await organization()
  const admin = await org.person({ role: 'administrator' })
  await org.owner.post('/invites/multiuse', { invite_as: 100 })
  const [{ id }] = (await org.owner.get('/invites')).body.invites
  expect((await org.owner.delete(`/invites/${id}`)).body.msg).toBe('No such invitation')
  expect((await admin.delete(`/invites/multiuse/${id}`)).body.msg).toBe('Must be an organization owner')
  expect((await org.owner.delete(`/invites/multiuse/${id}`)).body).toEqual(success)
  const again = await org.owner.delete(`/invites/multiuse/${id}`)
  expect(again.body.msg).toBe('Invitation has already been revoked')
})

test('a resent invitation has a new link, and the old link ends', async () => {
  const org = await organization()
  const [bob, carol] = await Promise.all([org.person(), org.person()])
  await bob.post('/invites', { invitee_emails: 'a@example.com', stream_ids: [] })
  const [before] = (await bob.get('/invites')).body.invites
  const old = await keyMailedTo(org, 'a@example.com')
  expect((await carol.post(`/invites/${before.id}/resend`)).body.msg).toBe(
    'Must be an organization administrator',
  )
  all.pass(3_600)
  expect((await bob.post(`/invites/${before.id}/resend`)).body).toEqual(success)
  const [after] = (await bob.get('/invites')).body.invites
  expect(after.expiry_date - before.expiry_date).toBeGreaterThanOrEqual(3_600)
  const key = await keyMailedTo(org, 'a@example.com')
  const look = async (key: string) => (await org.visitor.get(`/rookery/sign_ups/${key}`)).status
  expect([await look(old), await look(key)]).toEqual([400, 200])
  for (let i = 0; i < 4; i++) expect((await bob.post(`/invites/${before.id}/resend`)).status).toBe(200)
  expect((await bob.post(`/invites/${before.id}/resend`)).status).toBe(429)
})

test('limits repeated invitations to one address', async () => {
  const org = await organization()
  const invite = (invitee_emails: string) => org.owner.post('/invites', { invitee_emails, stream_ids: [] })
  for (let i = 0; i < 6; i++) expect((await invite('a@example.com')).status).toBe(200)
  expect((await invite('b@example.com, A@example.com')).status).toBe(429)
  expect((await invite('b@example.com')).status).toBe(200)
  all.pass(86_401)
  expect((await invite('a@example.com')).status).toBe(200)
})

test('limits the invitations of an organization per day', async () => {
  const org = await organization()
  const addresses = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `p${from + i}@example.com`).join(',')
  const invite = async (invitee_emails: string) => {
    return (await org.owner.post('/invites', { invitee_emails, stream_ids: [] })).body
  }
  expect(await invite(addresses(0, 499))).toEqual(success)
  expect(await invite(addresses(499, 501))).toMatchObject({
    code: 'INVITATION_FAILED',
    errors: [],
    sent_invitations: false,
    daily_limit_reached: true,
  })
  expect(await invite(addresses(499, 500))).toEqual(success)
  all.pass(86_401)
  expect(await invite(addresses(500, 501))).toEqual(success)
})

test('the invitations of a deactivated user end', async () => {
  const org = await organization()
  const bob = await org.person({ role: 'administrator' })
  await bob.post('/invites', { invitee_emails: 'a@example.com', stream_ids: [] })
  const { invite_link } = (await bob.post('/invites/multiuse')).body
  const key = await keyMailedTo(org, 'a@example.com')
  const client = await org.owner.register({ event_types: ['invites_changed'] })
  await org.owner.delete(`/users/${bob.id}`)
  expect(await client.events()).toEqual(changed)
  expect((await org.owner.get('/invites')).body.invites).toEqual([])
  expect((await org.visitor.get(`/rookery/sign_ups/${key}`)).status).toBe(400)
  const page = await org.visitor.raw({ method: 'GET', path: new URL(invite_link).pathname })
  expect(page.status).toBe(400)
})
