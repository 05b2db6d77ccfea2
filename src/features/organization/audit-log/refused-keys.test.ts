import { expect, test } from 'vitest'
import { watchAuditLog } from '../../../../test/audit-entries.ts'
import { Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'

const { organization } = testServer({ trustProxy: true })

test('that the key of an account was refused is there, once an hour for each network', async () => {
  const org = await organization()
  const ben = await org.person()
  const news = await watchAuditLog(org)
  const wrong = new Person(ben.place, { ...ben, key: 'a'.repeat(32) })
  const from = (ip: string) => ({ headers: { 'user-agent': 'Terminal/3.1', 'x-forwarded-for': ip } })
  for (const ip of ['192.0.2.7', '192.0.2.7', '198.51.100.4']) {
    const { status } = await wrong.get('/users/me', {}, from(ip))
    expect(status).toBe(401)
  }
  // A commit of the same organization waits for those before it.
  await org.owner.patch('/realm', { name: 'New name' })
  const entry = {
    kind: 'key.refuse',
    object: 'user',
    object_id: ben.id,
    actor_id: null,
    means: 'none',
    operation: 'GET /users/me',
    client: 'Terminal/3.1',
    before: null,
    after: null,
  }
  expect(await news()).toMatchObject([
    { ...entry, ip: '192.0.2.7' },
    { ...entry, ip: '198.51.100.4' },
    { kind: 'organization.update' },
  ])
})

test('a refused key of no account leaves no entry', async () => {
  const org = await organization()
  const ben = await org.person()
  const news = await watchAuditLog(org)
  const nobody = new Person(ben.place, { ...ben, email: 'nobody@example.org', key: 'a'.repeat(32) })
  expect((await nobody.get('/users/me')).status).toBe(401)
  await org.owner.patch('/realm', { name: 'New name' })
  expect(await news()).toMatchObject([{ kind: 'organization.update' }])
})
