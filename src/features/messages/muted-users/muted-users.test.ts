import { expect, test } from 'vitest'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('a guest who can no longer see a user may still unmute them', async () => {
  const org = await organization()
  const guest = await org.person({ role: 'guest' })
  const [seen, other] = [await org.person(), await org.person()]
  await guest.post(`/users/me/muted_users/${seen.id}`)
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  const client = await guest.register()
  expect((await guest.delete(`/users/me/muted_users/${other.id}`)).body.msg).toBe('Insufficient permission')
  expect((await guest.delete(`/users/me/muted_users/${seen.id}`)).body).toMatchObject({ result: 'success' })
  expect(await client.events()).toMatchObject([{ type: 'muted_users', muted_users: [] }])
  await client.expectStateToMatch()
})

test('muting and unmuting a user notifies only the current user', async () => {
  const org = await organization()
  const [anna, ben] = await Promise.all([org.person(), org.person()])
  const [own, other] = [await anna.register(), await ben.register()]
  const path = `/users/me/muted_users/${ben.id}`
  expect((await anna.post(path)).status).toBe(200)
  expect(await own.events()).toMatchObject([
    { type: 'muted_users', muted_users: [{ id: ben.id, timestamp: expect.any(Number) }] },
  ])
  await own.expectStateToMatch()
  expect((await anna.post(path)).body.msg).toBe('User already muted')
  expect((await anna.delete(path)).status).toBe(200)
  expect(await own.events()).toMatchObject([{ type: 'muted_users', muted_users: [] }])
  await own.expectStateToMatch()
  expect((await anna.delete(path)).body.msg).toBe('User is not muted')
  expect(await other.events()).toEqual([])
})

test('rejects the user themself and unknown users', async () => {
  const org = await organization()
  const { owner } = org
  expect((await owner.post(`/users/me/muted_users/${owner.id}`)).body.msg).toBe('Cannot mute self')
  expect((await owner.post('/users/me/muted_users/99999999')).body.msg).toBe('No such user')
  expect((await owner.post('/users/me/muted_users/abc')).status).toBe(404)
})
