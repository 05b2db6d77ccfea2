import { expect, test } from 'vitest'
import { changeRealm } from '../../../../test/messages.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('spectators receive every part of the data that a client requests for a page without login', async () => {
  const org = await organization()
  await changeRealm(org, { enable_spectator_access: true })
  const open = await org.channel({ isWebPublic: true, name: 'open', subscribers: [org.owner] })
  await org.channel({ name: 'closed', subscribers: [org.owner] })
  const { body } = await org.visitor.post('/register')
  expect(body).toMatchObject({
    has_zoom_token: false,
    navigation_tour_video_url: null,
    push_devices: {},
    server_timestamp: expect.any(Number),
    streams: [{ stream_id: open.id, name: 'open' }],
    unread_msgs: { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false },
  })
})

test('spectators share the users that they get, and get new ones when a user changes', async () => {
  const org = await organization()
  await changeRealm(org, { enable_spectator_access: true })
  await org.channel({ isWebPublic: true, name: 'open', subscribers: [org.owner] })
  const [anna, ben] = [await org.person({ name: 'Anna' }), await org.person({ name: 'Ben' })]
  const names = async () => {
    const { realm_users, realm_non_active_users } = (await org.visitor.post('/register')).body
    const named = (users: { full_name: string }[]) => users.map(({ full_name }) => full_name)
    return { active: named(realm_users), others: named(realm_non_active_users) }
  }
  expect(await names()).toEqual({ active: expect.arrayContaining(['Anna', 'Ben']), others: [] })
  await anna.patch('/settings', { full_name: 'Annabel' })
  await org.owner.delete(`/users/${ben.id}`)
  const { active, others } = await names()
  expect([active.includes('Annabel'), active.includes('Anna'), others]).toEqual([true, false, ['Ben']])
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  expect((await names()).active).not.toContain('Annabel')
})
