import { expect, test } from 'vitest'
import { kindsOf, watchAuditLog } from '../../../../test/audit-entries.ts'
import { Browser } from '../../../../test/browser.ts'
import { testServer } from '../../../../test/test-server.ts'

const { organization } = testServer({ trustProxy: true })

test('an administrative change is there with who, what before and after, when and from where', async () => {
  const org = await organization()
  const ben = await org.person({ name: 'Ben' })
  const news = await watchAuditLog(org)
  const headers = { 'user-agent': 'Terminal/3.1 (here)', 'x-forwarded-for': '192.0.2.7' }
  await org.owner.ask('PATCH', `/users/${ben.id}`, { role: 200, full_name: 'Benjamin' }, { headers })
  expect(await news()).toEqual([
    {
      id: expect.any(Number),
      at: expect.any(Number),
      kind: 'user.update',
      object: 'user',
      object_id: ben.id,
      object_name: 'Benjamin',
      actor_id: org.owner.id,
      actor_name: org.owner.name,
      means: 'key',
      means_id: [...org.state.apiKeysOfUser(org.owner.id)][0]?.id,
      operation: 'PATCH /users/{user_id}',
      client: 'Terminal/3.1 (here)',
      ip: '192.0.2.7',
      os_user: null,
      before: { full_name: 'Ben', role: 400 },
      after: { full_name: 'Benjamin', role: 200 },
    },
  ])
})

test('of settings, only those that change are there', async () => {
  const org = await organization()
  const news = await watchAuditLog(org)
  await org.owner.patch('/realm', { name: 'New name', invite_required: false })
  await org.owner.patch('/realm', { invite_required: true, waiting_period_threshold: 3 })
  expect(await news()).toMatchObject([
    {
      kind: 'organization.update',
      object: 'organization',
      object_id: null,
      before: { settings: { invite_required: null } },
      after: { name: 'New name', settings: { invite_required: false } },
    },
    {
      kind: 'organization.update',
      before: { settings: { invite_required: false, waiting_period_threshold: null } },
      after: { settings: { invite_required: true, waiting_period_threshold: 3 } },
    },
  ])
})

test('what follows from a change is there with it, under the same actor', async () => {
  const org = await organization()
  const ben = await org.personWithPassword({
    name: 'Ben',
    email: 'ben@example.com',
    password: 'correct horse',
  })
  await new Browser(org.place).logIn(ben.email, 'correct horse')
  const news = await watchAuditLog(org)
  await org.owner.delete(`/users/${ben.id}`)
  const entries = await news()
  expect(kindsOf(entries).sort()).toEqual(['session.delete', 'user.deactivate'])
  for (const entry of entries) {
    expect(entry).toMatchObject({ object: 'user', object_id: ben.id, actor_id: org.owner.id, means: 'key' })
  }
  await org.owner.post(`/users/${ben.id}/reactivate`)
  // The keys end when the account is used again.
  expect(kindsOf(await news())).toEqual(['user.reactivate', 'key.delete'])
})

test('channels and groups: their properties, and whom others put into them, in one entry', async () => {
  const org = await organization()
  const [ben, eva, kim] = [await org.person(), await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [org.owner] })
  const news = await watchAuditLog(org)
  const subscriptions = [{ name: channel.name }]
  await org.owner.post('/users/me/subscriptions', { subscriptions, principals: [ben.id, eva.id] })
  await kim.post('/users/me/subscriptions', { subscriptions })
  await org.owner.ask('DELETE', '/users/me/subscriptions', {
    subscriptions: [channel.name],
    principals: [eva.id],
  })
  await org.owner.patch(`/streams/${channel.id}`, { description: 'For all' })
  await org.owner.delete(`/streams/${channel.id}`)
  const about = { object: 'channel', object_id: channel.id, object_name: channel.name }
  expect(await news()).toMatchObject([
    { ...about, kind: 'channel.subscribe', before: null, after: { user_ids: [ben.id, eva.id] } },
    { ...about, kind: 'channel.unsubscribe', before: { user_ids: [eva.id] }, after: null },
    { ...about, kind: 'channel.update', before: { description: '' }, after: { description: 'For all' } },
    { object_id: channel.id, kind: 'channel.archive' },
  ])
  const { body } = await org.owner.post('/user_groups/create', {
    name: 'tea',
    description: '',
    members: [ben.id],
  })
  await org.owner.post(`/user_groups/${body.group_id}/members`, { add: [eva.id], delete: [ben.id] })
  expect(await news()).toMatchObject([
    { kind: 'group.create', object_name: 'tea', before: null, after: { name: 'tea' } },
    { kind: 'group.add_members', object_id: body.group_id, after: { user_ids: [ben.id] } },
    { kind: 'group.add_members', after: { user_ids: [eva.id] } },
    { kind: 'group.remove_members', before: { user_ids: [ben.id] } },
  ])
})

test('logins and failed ones are there, the latter for accounts that exist', async () => {
  const org = await organization()
  const email = 'dora@example.com'
  const dora = await org.personWithPassword({ name: 'Dora', email, password: 'swordfish 12' })
  const news = await watchAuditLog(org)
  const logIn = (username: string, password: string) =>
    org.visitor.post(
      '/fetch_api_key',
      { username, password },
      { headers: { 'x-forwarded-for': '192.0.2.9' } },
    )
  expect((await logIn('nobody@example.com', 'swordfish 12')).status).toBe(401)
  expect((await logIn(email, 'wrong')).status).toBe(401)
  expect((await logIn(email, 'swordfish 12')).status).toBe(200)
  const browser = new Browser(org.place)
  await browser.logIn(email, 'swordfish 12')
  const about = { object: 'user', object_id: dora.id, object_name: 'Dora' }
  const entries = await news()
  expect(entries).toMatchObject([
    { ...about, kind: 'login.fail', actor_id: null, ip: '192.0.2.9', operation: 'POST /fetch_api_key' },
    { ...about, kind: 'login.succeed', actor_id: dora.id, actor_name: 'Dora', after: { method: 'Email' } },
    { ...about, kind: 'key.create', actor_id: dora.id, means: 'none' },
    { ...about, kind: 'login.succeed', operation: 'POST /rookery/session' },
    { ...about, kind: 'session.create' },
  ])
  // The session of the login is named by what happens in it.
  const session = (entries[4]!.after as { id: number }).id
  await browser.ask('PATCH', '/json/settings', { full_name: 'Dora the Second' })
  expect(await news()).toMatchObject([
    { kind: 'user.update', means: 'session', means_id: session, actor_id: dora.id },
  ])
  await org.owner.delete(`/users/${dora.id}`)
  await news()
  expect((await logIn(email, 'swordfish 12')).status).toBe(401)
  expect(kindsOf(await news())).toEqual(['login.fail'])
})

test('failed logins leave no more entries than attempts that are counted', async () => {
  const org = await organization()
  const email = 'dora@example.com'
  await org.personWithPassword({ name: 'Dora', email, password: 'swordfish 12' })
  const news = await watchAuditLog(org)
  for (let i = 0; i < 8; i++) await org.visitor.post('/fetch_api_key', { username: email, password: 'no' })
  expect(kindsOf(await news())).toEqual(Array(5).fill('login.fail'))
})

test('secrets are never there, only that they changed', async () => {
  const org = await organization()
  const password = 'swordfish 12'
  const dora = await org.personWithPassword({ name: 'Dora', email: 'dora@example.com', password })
  const news = await watchAuditLog(org)
  await dora.patch('/settings', { old_password: password, new_password: 'another fish 13' })
  expect(await news()).toMatchObject([
    { kind: 'password.set', before: { password_hash: '[secret]' }, after: { password_hash: '[secret]' } },
  ])
  const bot = await org.bot(dora)
  await dora.post(`/bots/${bot.id}/api_key/regenerate`)
  await org.owner.post('/invites/multiuse', { invite_as: 400 })
  expect(kindsOf(await news())).toEqual(
    expect.arrayContaining(['user.create', 'key.create', 'invitation.create']),
  )
})

test('an operation that is refused, and what users do for themselves, leaves nothing', async () => {
  const org = await organization()
  const [ben, eva] = [await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [ben] })
  const news = await watchAuditLog(org)
  expect((await ben.patch(`/users/${eva.id}`, { role: 200 })).status).not.toBe(200)
  expect((await org.owner.patch('/realm', { name: '' })).status).not.toBe(500)
  await ben.post('/messages', { type: 'channel', to: channel.id, topic: 'tea', content: 'hi' })
  await ben.post('/messages', { type: 'direct', to: [eva.id], content: 'hi' })
  await ben.post('/users/me/status', { status_text: 'away' })
  await ben.post(`/users/me/muted_users/${eva.id}`)
  await ben.patch('/settings', { color_scheme: 2 })
  const about = kindsOf(await news()).filter((kind) => !kind.startsWith('organization.'))
  expect(about).toEqual([])
})

test('what an administrator does to a user in their place is there', async () => {
  const org = await organization()
  const ben = await org.person()
  const news = await watchAuditLog(org)
  await org.owner.post(`/users/${ben.id}/status`, { status_text: 'on leave' })
  expect(await news()).toMatchObject([
    { kind: 'status.update', object_id: ben.id, after: { status_text: 'on leave' } },
  ])
})

test('that a moderator deletes messages of others is there, without their texts', async () => {
  const org = await organization()
  const ben = await org.person()
  const channel = await org.channel({ subscribers: [ben, org.owner] })
  const send = async () =>
    (await ben.post('/messages', { type: 'channel', to: channel.id, topic: 'tea', content: 'a text' })).body
      .id
  const [first, second] = [await send(), await send()]
  const news = await watchAuditLog(org)
  await ben.delete(`/messages/${first}`)
  await org.owner.delete(`/messages/${second}`)
  expect(await news()).toMatchObject([
    {
      kind: 'message.delete',
      object: 'channel',
      object_id: channel.id,
      actor_id: org.owner.id,
      before: null,
      after: { message_ids: [second], sender_ids: [ben.id] },
    },
  ])
})
