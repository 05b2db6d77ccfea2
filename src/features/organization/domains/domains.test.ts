import { expect, test } from 'vitest'
import { success } from '../../../../test/http.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

async function add(person: Person, domain: string, allow_subdomains = false) {
  return (await person.post('/realm/domains', { domain, allow_subdomains })).body
}

test('domains are added, changed and removed, and all users are notified', async () => {
  const { owner, ...org } = await setting()
  const { client } = org
  expect(await add(owner, ' ACME.com ', true)).toEqual({
    ...success,
    new_domain: [expect.any(Number), 'acme.com'],
  })
  await add(owner, 'b.example')
  expect((await owner.patch('/realm/domains/Acme.com', { allow_subdomains: false })).body).toEqual(success)
  expect((await org.guest.get('/realm/domains')).body).toEqual({
    ...success,
    domains: [
      { domain: 'acme.com', allow_subdomains: false },
      { domain: 'b.example', allow_subdomains: false },
    ],
  })
  await client.expectStateToMatch()
  expect((await owner.delete('/realm/domains/acme.com')).body).toEqual(success)
  expect(await client.events()).toMatchObject([{ type: 'realm_domains', op: 'remove', domain: 'acme.com' }])
  await client.expectStateToMatch()
})

test('the events of each change', async () => {
  const { owner, client } = await setting()
  await add(owner, 'acme.com', true)
  await owner.patch('/realm/domains/acme.com', { allow_subdomains: false })
  expect(await client.events()).toMatchObject([
    { type: 'realm_domains', op: 'add', realm_domain: { domain: 'acme.com', allow_subdomains: true } },
    { type: 'realm_domains', op: 'change', realm_domain: { domain: 'acme.com', allow_subdomains: false } },
  ])
})

test('removing the last domain lifts the restriction to domains', async () => {
  const { owner, client } = await setting()
  await add(owner, 'a.example')
  await add(owner, 'b.example')
  await owner.patch('/realm', { emails_restricted_to_domains: true })
  await owner.delete('/realm/domains/a.example')
  await client.events()
  await owner.delete('/realm/domains/b.example')
  expect(await client.events()).toMatchObject([
    { type: 'realm', property: 'emails_restricted_to_domains', value: false },
    { type: 'realm_domains', op: 'remove' },
  ])
  await client.expectStateToMatch()
})

test('only owners change them', async () => {
  const { owner, org, client } = await setting()
  const admin = await org.person({ role: 'administrator' })
  await add(owner, 'acme.com')
  await client.events()
  const refused = { code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization owner' }
  expect(await add(admin, 'b.example')).toMatchObject(refused)
  expect((await admin.patch('/realm/domains/acme.com', { allow_subdomains: true })).body).toMatchObject(
    refused,
  )
  expect((await admin.delete('/realm/domains/acme.com')).body).toMatchObject(refused)
  expect(await client.events()).toEqual([])
})

test('each organization has its own', async () => {
  const [{ owner, client }, other] = await Promise.all([setting(), organization()])
  expect(await add(other.owner, 'acme.com')).toMatchObject(success)
  expect(await add(owner, 'acme.com')).toMatchObject(success)
  await other.owner.delete('/realm/domains/acme.com')
  expect(await client.events()).toMatchObject([{ type: 'realm_domains', op: 'add' }])
})

test('invalid domains are refused', async () => {
  const { owner } = await organization()
  await add(owner, 'acme.com')
  expect((await add(owner, 'Acme.com')).msg).toBe(
    'The domain acme.com is already a part of your organization.',
  )
  expect((await add(owner, '')).msg).toBe("Invalid domain: Domain can't be empty.")
  expect((await add(owner, 'bad domain')).msg).toBe('Invalid domain: Domain must have at least one dot (.)')
  for (const domain of ['a..b', '.a.b', 'a.b.', 'a b.c', '-a.b', 'a-.b', 'é.b', `${'a.'.repeat(200)}b`]) {
    expect((await add(owner, domain)).msg, domain).toMatch(/^Invalid domain: /)
  }
  const unknown = { msg: 'No entry found for domain none.com.', code: 'BAD_REQUEST' }
  expect((await owner.delete('/realm/domains/none.com')).body).toMatchObject(unknown)
  const change = { allow_subdomains: true }
  expect((await owner.patch('/realm/domains/none.com', change)).body).toMatchObject(unknown)
})

test('any caller may ask whether a name is free', async () => {
  const { visitor, state } = await organization()
  const ask = async (name: string) => (await visitor.get(`/realm/subdomain/${name}`)).body
  expect(await ask('free-one')).toEqual({ result: 'success', msg: 'available' })
  expect((await ask(state.row.subdomain)).msg).toBe('Another organization has it.')
  for (const name of ['-x', 'X', 'a.b', 'x'.repeat(41)])
    expect((await ask(name)).msg, name).toMatch(/^It has 1/)
})

async function setting() {
  const org = await organization()
  const guest = await org.person({ role: 'guest' })
  return { org, owner: org.owner, guest, client: await guest.register() }
}
