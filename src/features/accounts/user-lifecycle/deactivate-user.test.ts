import { afterAll, beforeAll, expect, test } from 'vitest'
import { personWith } from '../../../../test/person.ts'
import { MailServer } from '../../../../test/programs/mail-server.ts'
import { testServer } from '../../../../test/test-server.ts'

const server = new MailServer()
const { organization } = testServer({ adapters: { mail: server.transport } })
beforeAll(() => server.start())
afterAll(() => server.stop())

test('mails the deactivated user if the administrator wants it, with or without a comment', async () => {
  const org = await organization()
  const [ann, ben, carol] = [await org.person(), await org.person(), await org.person()]
  const tooLong = { deactivation_notification_comment: 'x'.repeat(2_001) }
  expect((await org.owner.delete(`/users/${ann.id}`, tooLong)).body.msg).toContain('is too long')
  const comment = { deactivation_notification_comment: ' Good <b>luck</b>! ' }
  expect((await org.owner.delete(`/users/${ann.id}`, comment)).body).toEqual({ result: 'success', msg: '' })
  await org.owner.delete(`/users/${ben.id}`)
  await org.owner.delete(`/users/${carol.id}`, { deactivation_notification_comment: '' })
  const [[mail], [plain]] = [await server.awaitMails(ann.email), await server.awaitMails(carol.email)]
  expect(mail!.text).toContain('> Good <b>luck</b>!')
  expect(mail!.html).toContain('Good &lt;b&gt;luck')
  expect(plain!.text).toContain('has been deactivated')
  expect(plain!.text).not.toContain('>')
  expect(server.to(ben.email)).toEqual([])
})

test('a bot can be reactivated only where it could be created, under a free name', async () => {
  const org = await organization()
  const [ann, ben] = [await org.person(), await org.person()]
  const make = async () =>
    (await ann.post('/bots', { full_name: 'Clock', short_name: `clock${Math.random()}`.replace('.', '') }))
      .body
  const { user_id: id } = await make()
  await ann.delete(`/bots/${id}`)
  const again = () => ann.post(`/users/${id}/reactivate`)
  expect((await ben.post(`/users/${id}/reactivate`)).body.msg).toBe('Insufficient permission')
  const mayCreate = (who: number) => org.owner.patch('/realm', { can_create_bots_group: { new: who } })
  await mayCreate(org.group('role:administrators'))
  await org.owner.patch('/realm', {
    can_create_write_only_bots_group: { new: org.group('role:administrators') },
  })
  expect((await again()).body.msg).toBe('Insufficient permission')
  await mayCreate(org.group('role:members'))
  const { user_id: other } = await make()
  expect((await again()).body.msg).toBe('Name is already in use.')
  await ann.delete(`/bots/${other}`)
  const client = await ann.register()
  expect((await again()).body).toEqual({ result: 'success', msg: '' })
  await client.expectStateToMatch()
  expect((await ann.get(`/users/${id}`)).body.user.is_active).toBe(true)
})

test('a bot whose owner is deactivated belongs to the administrator who reactivates it', async () => {
  const org = await organization()
  const [admin, ann, ben] = [
    await org.person({ role: 'administrator' }),
    await org.person(),
    await org.person(),
  ]
  const { user_id: id, api_key: key } = (await ann.post('/bots', { full_name: 'Clock', short_name: 'clock' }))
    .body
  const { email } = (await admin.get(`/users/${id}`)).body.user
  const clock = await personWith(org.place, email, key)
  await org.owner.delete(`/users/${ann.id}`)
  const clients = [await admin.register(), await ben.register()] as const
  expect((await admin.post(`/users/${id}/reactivate`)).body).toEqual({ result: 'success', msg: '' })
  expect((await ben.get(`/users/${id}`)).body.user).toMatchObject({ is_active: true, bot_owner_id: admin.id })
  expect((await admin.get('/bots')).body.bots).toMatchObject([{ full_name: 'Clock' }])
  const [admins, bens] = [await clients[0].events(), await clients[1].events()]
  expect(admins.filter(({ type }) => type === 'realm_bot')).toMatchObject([
    { op: 'update', bot: { user_id: id, owner_id: admin.id } },
    { op: 'update', bot: { user_id: id, is_active: true } },
    { op: 'update', bot: { user_id: id, api_key: '' } },
  ])
  expect(bens.filter(({ type }) => type === 'realm_user')).toMatchObject([
    { op: 'update', person: { user_id: id, is_active: true } },
    { op: 'update', person: { user_id: id, bot_owner_id: admin.id } },
  ])
  for (const client of clients) await client.expectStateToMatch()
  // The owner before may have the key.
  expect((await clock.get('/users/me')).status).toBe(401)
  const fresh = (await admin.post(`/bots/${id}/api_key/regenerate`)).body.api_key
  expect((await (await personWith(org.place, email, fresh)).get('/users/me')).status).toBe(200)
})

test('only owners reactivate a bot with the role of an owner, if they become its owners by that', async () => {
  const org = await organization()
  const [admin, ann] = [await org.person({ role: 'administrator' }), await org.person()]
  const { user_id: id } = (await ann.post('/bots', { full_name: 'Clock', short_name: 'clock' })).body
  await org.owner.patch(`/bots/${id}`, { role: 100 })
  await org.owner.delete(`/users/${ann.id}`)
  expect((await admin.post(`/users/${id}/reactivate`)).body.msg).toBe('Must be an organization owner')
  expect((await org.owner.get(`/users/${id}`)).body.user).toMatchObject({
    is_active: false,
    bot_owner_id: ann.id,
  })
  expect((await org.owner.post(`/users/${id}/reactivate`)).body.result).toBe('success')
})
