import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { holdWrites } from '../../test/held-writes.ts'
import { cast } from '../../test/organization.ts'
import { basic } from '../../test/person.ts'
import { pathsIn } from '../../test/stored-files.ts'
import { testServer } from '../../test/test-server.ts'
import { commandActor } from '../log/audit/actor.ts'
import type { Change } from '../log/change.ts'

// Others may change what a caller may do after a request was checked, and before it writes.

const server = testServer()

const loggedOut = { result: 'error', code: 'UNAUTHORIZED' }

test('an administrator who was demoted meanwhile changes nothing any more', async () => {
  const { org, admin } = await cast(await server.organization())
  const held = await holdWrites(org.log)
  await held.add(() => org.owner.patch(`/users/${admin.id}`, { role: 400 }))
  const renamed = await held.add(() => admin.patch('/realm', { name: 'Renamed' }))
  await held.release()
  expect((await renamed.answer).body).toMatchObject({ result: 'error', code: 'UNAUTHORIZED_PRINCIPAL' })
  expect(org.state.row.name).not.toBe('Renamed')
})

test('nor where every user may call, and administrators may do more', async () => {
  const { org, admin, anna } = await cast(await server.organization())
  const { body: sent } = await anna.post('/messages', { type: 'direct', to: [admin.id], content: 'mine' })
  const held = await holdWrites(org.log)
  await held.add(() => org.owner.patch(`/users/${admin.id}`, { role: 400 }))
  const deleted = await held.add(() => admin.delete(`/messages/${sent.id}`))
  await held.release()
  expect((await deleted.answer).body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' })
})

test('an operation starts again with the account as it is now', async () => {
  const { org, anna } = await cast(await server.organization())
  const held = await holdWrites(org.log)
  await held.add(() => org.owner.patch(`/users/${anna.id}`, { role: 200 }))
  const renamed = await held.add(() => anna.patch('/settings', { full_name: 'Anna B.' }))
  await held.release()
  expect((await renamed.answer).body).toMatchObject({ result: 'success' })
  expect(org.state.users.require(anna.id)).toMatchObject({ role: 200, full_name: 'Anna B.' })
})

test('a deactivated user gets no new key', async () => {
  const { org, admin, anna } = await cast(await server.organization())
  const before = [...org.state.apiKeysOfUser(anna.id)]
  const held = await holdWrites(org.log)
  await held.add(() => admin.delete(`/users/${anna.id}`))
  const renewed = await held.add(() => anna.post('/users/me/api_key/regenerate'))
  await held.release()
  expect((await renewed.answer).body).toMatchObject(loggedOut)
  expect([...org.state.apiKeysOfUser(anna.id)]).toEqual(before)
})

test('a request with a key that was revoked meanwhile writes nothing', async () => {
  const { org, anna } = await cast(await server.organization())
  const keys = [...org.state.apiKeysOfUser(anna.id)].map(({ id }) => ({ id }))
  const held = await holdWrites(org.log)
  const revoke = (change: Change) => change.deleteAll('api_key', keys)
  await held.add(() => org.log.commitIn(org.state.epoch, revoke, commandActor('key revoke', 'root')))
  const draft = { type: '', to: [], topic: '', content: 'late', timestamp: 1 }
  const drafted = await held.add(() => anna.post('/drafts', { drafts: [draft] }))
  await held.release()
  expect((await drafted.answer).body).toMatchObject(loggedOut)
})

test('a file is not stored if its sender was deactivated while it came', async () => {
  const { org, admin, anna } = await cast(await server.organization())
  const receiving = vi.spyOn(server.adapters.files, 'receive')
  const boundary = 'between'
  const upload = request({
    method: 'POST',
    host: '127.0.0.1',
    port: anna.place.port,
    path: '/api/v1/user_uploads',
    headers: {
      host: anna.place.host,
      authorization: basic(anna.email, anna.key),
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  })
  const answer = new Promise<string>((resolve, reject) => {
    upload.on('response', (response) => resolve(text(response)))
    upload.on('error', reject)
  })
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`
  upload.write(`${head}first`)
  await expect.poll(() => receiving.mock.calls.length).toBe(1)
  await admin.delete(`/users/${anna.id}`)
  upload.end(` second\r\n--${boundary}--\r\n`)
  expect(JSON.parse(await answer)).toMatchObject(loggedOut)
  const stored = await pathsIn(server.adapters.files, `${org.id}/`)
  expect(stored).toEqual([])
})

test('nor does it do more for an account that changes again while it starts again', async () => {
  const { org, admin, anna } = await cast(await server.organization())
  const second = await org.person({ role: 'owner' })
  const { body: sent } = await anna.post('/messages', { type: 'direct', to: [admin.id], content: 'mine' })
  const held = await holdWrites(org.log)
  await held.add(() => org.owner.patch(`/users/${admin.id}`, { full_name: 'Renamed' }))
  const deleted = await held.add(() => admin.delete(`/messages/${sent.id}`))
  await held.add(() => second.patch(`/users/${admin.id}`, { role: 400 }))
  await held.release()
  expect((await deleted.answer).body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' })
  expect((await anna.get(`/messages/${sent.id}`)).status).toBe(200)
})
