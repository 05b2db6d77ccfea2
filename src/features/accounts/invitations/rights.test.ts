import { expect, test } from 'vitest'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('a user who loses a role also loses the links that would restore it', async () => {
  const org = await organization()
  const [owner, admin] = [await org.person({ role: 'owner' }), await org.person({ role: 'administrator' })]
  const { invite_link } = (await owner.post('/invites/multiuse', { invite_as: 100 })).body
  const { pathname: path } = new URL(invite_link)
  const status = async () => (await org.visitor.raw({ method: 'GET', path })).status
  expect(await status()).toBe(200)
  await admin.post('/invites/multiuse', { invite_as: 200 })
  await admin.post('/invites/multiuse', { invite_as: 300 })
  await admin.post('/invites/multiuse')
  const roles = async (person: typeof owner) =>
    (await person.get('/invites')).body.invites.map((one: { invited_as: number }) => one.invited_as)
  expect([await roles(owner), await roles(admin)]).toEqual([
    [100, 200, 300, 400],
    [200, 300, 400],
  ])
  await org.owner.patch(`/users/${owner.id}`, { role: 200 })
  await org.owner.patch(`/users/${admin.id}`, { role: 400 })
  expect([await roles(owner), await roles(admin), await roles(org.owner)]).toEqual([[400], [400], [400]])
  expect(await status()).toBe(400)
})

test('invitations by mail to a role end when the inviter may no longer assign it', async () => {
  const org = await organization()
  const admin = await org.person({ role: 'administrator' })
  await admin.post('/invites', { invitee_emails: 'me.too@example.com', stream_ids: [], invite_as: 200 })
  const [{ id }] = (await admin.get('/invites')).body.invites
  await org.owner.patch(`/users/${admin.id}`, { role: 400 })
  expect((await admin.post(`/invites/${id}/resend`)).body.msg).toBe('No such invitation')
  expect((await admin.get('/invites')).body.invites).toEqual([])
})

test('a user who becomes a guest has no more invitations', async () => {
  const org = await organization()
  const bob = await org.person({ role: 'administrator' })
  const { invite_link } = (await bob.post('/invites/multiuse')).body
  await bob.post('/invites', { invitee_emails: 'friend@example.com', stream_ids: [] })
  const client = await org.owner.register()
  await org.owner.patch(`/users/${bob.id}`, { role: 600 })
  expect((await org.owner.get('/invites')).body.invites).toEqual([])
  expect((await client.events()).map(({ type }) => type)).toContain('invites_changed')
  const form = { method: 'GET', path: new URL(invite_link).pathname } as const
  expect((await org.visitor.raw(form)).status).toBe(400)
})

test('every inviter may invite to default channels, but other channels require the permission', async () => {
  const org = await organization()
  const bob = await org.person()
  const [usual, other] = [await org.channel({ isDefault: true }), await org.channel()]
  await org.owner.patch('/realm', { can_add_subscribers_group: { new: org.group('role:administrators') } })
  const msg = async (stream_ids: number[]) =>
    (await bob.post('/invites', { invitee_emails: `${stream_ids}@example.com`, stream_ids })).body.msg
  expect(await msg([usual.id])).toBe('')
  expect(await msg([other.id])).toBe('You do not have permission to subscribe other users to channels.')
})
