import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { success } from '../../../../test/http.ts'
import { cast, type Organization } from '../../../../test/organization.ts'
import { basic, Person } from '../../../../test/person.ts'
import { type Node, startNode, testServer } from '../../../../test/test-server.ts'

const all = testServer()

const elsewhere: Node[] = []
afterAll(() => Promise.all(elsewhere.map((node) => node.close())))

const setting = async () => cast(await all.organization())

async function bot(org: Organization, owner: Person): Promise<Person> {
  const { body } = await owner.post('/bots', { full_name: 'Helper', short_name: 'helper' })
  const email = org.state.users.require(body.user_id).delivery_email
  return new Person(org.place, { id: body.user_id, name: 'Helper', email, key: body.api_key })
}

/** Returns the keys that a user sees for each bot in their list and in POST /register. */
async function keysFor(person: Person) {
  const { bots = [] } = (await person.get('/bots')).body
  const { realm_bots } = (await person.post('/register', { fetch_event_types: ['realm_bot'] })).body
  const keys = (list: { api_key: string }[]) => list.map(({ api_key }) => api_key)
  return { list: keys(bots), register: keys(realm_bots) }
}

const none = { list: [], register: [] }

test('an owner and administrators can read a key again, but no other user, and not the bot itself', async () => {
  const { org, admin, anna, ben, guest } = await setting()
  const made = await bot(org, anna)
  const { key } = made
  expect(await keysFor(anna)).toEqual({ list: [key], register: [key] })
  for (const person of [admin, org.owner])
    expect(await keysFor(person)).toEqual({ list: [], register: [key] })
  for (const person of [ben, guest, made]) expect(await keysFor(person)).toEqual(none)
  for (const person of [ben, guest, made]) {
    for (const path of ['/users', `/users/${made.id}`, '/realm/profile_fields', '/rookery/keys']) {
      expect(JSON.stringify((await person.get(path)).body)).not.toContain(key)
    }
    expect(JSON.stringify((await person.post('/register')).body)).not.toContain(key)
  }
})

test('another node sends the key as well, also to clients that fetch the event late', async () => {
  const { org, admin, anna, ben } = await setting()
  const node = await all.anotherNode()
  const clients = await Promise.all([admin, anna, ben].map((person) => person.register()))
  const { id, key } = await bot(org, anna)
  const there = [admin, anna, ben].map((person) => person.at({ ...person.place, port: node.port }))
  const told = await Promise.all(
    there.map(async (person, index) => {
      const { queueId, state } = clients[index]!
      const since = { queue_id: queueId, last_event_id: state.last_event_id, dont_block: true }
      return JSON.stringify((await person.get('/events', since)).body)
    }),
  )
  expect(told.map((text) => text.includes(key))).toEqual([true, true, false])
  expect(await keysFor(there[1]!)).toEqual({ list: [key], register: [key] })
  const fresh = (await there[1]!.post(`/bots/${id}/api_key/regenerate`)).body.api_key
  await org.log.catchUp()
  expect(await keysFor(anna)).toEqual({ list: [fresh], register: [fresh] })
  for (const client of clients) await client.expectStateToMatch()
})

test('a former owner or administrator receives no key', async () => {
  const { org, admin, anna, ben } = await setting()
  const { id } = await bot(org, anna)
  const second = await org.person({ role: 'administrator' })
  const [before, demoted] = [await anna.register(), await second.register()]
  // They fetch the event only after they have lost the right to the key.
  const { api_key: key } = (await anna.post(`/bots/${id}/api_key/regenerate`)).body
  expect((await admin.patch(`/bots/${id}`, { bot_owner_id: ben.id })).body).toMatchObject(success)
  expect((await org.owner.patch(`/users/${second.id}`, { role: 400 })).body).toMatchObject(success)
  for (const client of [before, demoted]) {
    const events = await client.events()
    expect(events).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ type: 'realm_bot', op: 'update', bot: { user_id: id, api_key: '' } }),
      ]),
    )
    expect(JSON.stringify(events)).not.toContain(key)
  }
  expect(await keysFor(ben)).toEqual({ list: [key], register: [key] })
  for (const person of [anna, second]) expect(await keysFor(person)).toEqual(none)
  await before.expectStateToMatch()
})

test('an administrator cannot read the key of a bot with the role of an owner', async () => {
  const { org, admin, anna } = await setting()
  const { id, key } = await bot(org, anna)
  const clients = await Promise.all([admin, anna, org.owner].map((person) => person.register()))
  await org.owner.patch(`/bots/${id}`, { role: 100 })
  expect(await keysFor(admin)).toEqual({ list: [], register: [''] })
  expect(await keysFor(org.owner)).toEqual({ list: [], register: [key] })
  expect(await keysFor(anna)).toEqual({ list: [key], register: [key] })
  for (const client of clients) await client.expectStateToMatch()
  await org.owner.patch(`/bots/${id}`, { role: 400 })
  expect(await keysFor(admin)).toEqual({ list: [], register: [key] })
  for (const client of clients) await client.expectStateToMatch()
})

test('changes by a bot to its own keys are announced as well', async () => {
  const { org, anna } = await setting()
  const made = await bot(org, anna)
  const client = await anna.register()
  const { api_key: key } = (await made.post('/users/me/api_key/regenerate')).body
  const update = { type: 'realm_bot', op: 'update', bot: { user_id: made.id, api_key: key } }
  expect(await client.events()).toMatchObject([update])
  expect(await keysFor(anna)).toEqual({ list: [key], register: [key] })
  const renewed = new Person(org.place, { ...made, key })
  const [{ id }] = (await renewed.get('/rookery/keys')).body.keys
  expect((await renewed.delete(`/rookery/keys/${id}`)).body).toMatchObject(success)
  expect(await client.events()).toMatchObject([{ ...update, bot: { user_id: made.id, api_key: '' } }])
  expect(await keysFor(anna)).toEqual({ list: [''], register: [''] })
  await client.expectStateToMatch()
})

test('a key from before keys were sealed works, but cannot be read', async () => {
  const { org, anna } = await setting()
  const made = await bot(org, anna)
  await org.log.commit((change) => {
    const [key] = change.state.apiKeysOfUser(made.id)
    return change.update('api_key', { id: key!.id, sealed: null })
  })
  expect(await keysFor(anna)).toEqual({ list: [''], register: [''] })
  expect((await made.get('/users/me')).body).toMatchObject(success)
})

test('a node with another secret cannot read a key, but accepts it', async () => {
  const { org, anna } = await setting()
  const made = await bot(org, anna)
  const { adapters, databaseUrl } = all
  const other = await startNode(databaseUrl, { adapters, secret: 'a secret that other nodes do not know' })
  elsewhere.push(other)
  const there = { ...org.place, port: other.port }
  expect(await keysFor(anna.at(there))).toEqual({ list: [''], register: [''] })
  expect((await made.at(there).get('/users/me')).body).toMatchObject({ ...success, user_id: made.id })
  expect(await keysFor(anna)).toEqual({ list: [made.key], register: [made.key] })
  const { api_key: key } = (await anna.at(there).post(`/bots/${made.id}/api_key/regenerate`)).body
  expect(await keysFor(anna.at(there))).toEqual({ list: [key], register: [key] })
  await org.log.catchUp()
  expect(await keysFor(anna)).toEqual({ list: [''], register: [''] })
  expect((await new Person(org.place, { ...made, key }).get('/users/me')).status).toBe(200)
})

test('a sealed key can be opened only for its own bot, even after it is moved in the database', async () => {
  const { org, anna, ben } = await setting()
  const made = await bot(org, anna)
  const { body } = await ben.post('/bots', { full_name: 'Other', short_name: 'other' })
  await org.log.commit((change) => {
    const [theirs] = change.state.apiKeysOfUser(made.id)
    const [mine] = change.state.apiKeysOfUser(body.user_id)
    return change.update('api_key', { id: mine!.id, sealed: theirs!.sealed })
  })
  expect(await keysFor(ben)).toEqual({ list: [''], register: [''] })
  // Not even for a bot that takes over its hash.
  await org.log.commit((change) => {
    const [theirs] = change.state.apiKeysOfUser(made.id)
    return change.update('api_key', { id: theirs!.id, user_id: body.user_id })
  })
  expect(await keysFor(ben)).toEqual({ list: [''], register: [''] })
})

test('the database contains no key in any form', async () => {
  const { org, admin, anna } = await setting()
  const client = await anna.register()
  const made = await bot(org, anna)
  const { api_key: second } = (await anna.post(`/bots/${made.id}/api_key/regenerate`)).body
  const { api_key: third } = (
    await new Person(org.place, { ...made, key: second }).post('/users/me/api_key/regenerate')
  ).body
  expect(JSON.stringify(await client.events())).toContain(third)
  await admin.patch(`/bots/${made.id}`, { bot_owner_id: admin.id })
  const dump = await everything()
  for (const key of [made.key, second, third, anna.key]) {
    const login = basic(made.email, key).slice('Basic '.length)
    const forms = [key, Buffer.from(key).toString('hex'), Buffer.from(key).toString('base64'), login]
    for (const form of forms) expect(dump).not.toContain(form)
  }
  expect(dump).toContain(made.email)
  expect([...org.state.apiKeysOfUser(anna.id)]).toMatchObject([{ sealed: null }])
})

/** Returns all tables as text, like a dump. */
async function everything(): Promise<string> {
  const { db } = all.node.app.realms.connections
  const tables = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`.execute(db)
  expect(tables.rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['api_key', 'event_log']))
  const texts = await Promise.all(
    tables.rows.map(({ name }) =>
      sql<{ text: string }>`SELECT t::text AS text FROM ${sql.table(name)} t`.execute(db),
    ),
  )
  return texts.flatMap(({ rows }) => rows.map(({ text }) => text)).join('\n')
}
