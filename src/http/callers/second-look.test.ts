import { expect, test } from 'vitest'
import { anotherLog } from '../../../test/another-log.ts'
import { Browser } from '../../../test/browser.ts'
import type { Answer } from '../../../test/http.ts'
import { direct, messageIn, sender } from '../../../test/messages.ts'
import type { Organization } from '../../../test/organization.ts'
import { Person } from '../../../test/person.ts'
import { DatabaseLine } from '../../../test/programs/database-line.ts'
import { startNode, testServer } from '../../../test/test-server.ts'
import { badRequest } from '../../lib/api-error.ts'
import { httpLimits } from '../limits.ts'
import { SecondLooks } from './second-look.ts'

// Nothing listens there, so nodes learn of each other's changes only when they look.
const server = testServer({ natsUrl: 'nats://127.0.0.1:1' })
const { organization, anotherNode } = server

/** Returns a function that moves a user to another node, which has read the organization as it is now. */
async function elsewhere(org: Organization) {
  const { port } = await anotherNode()
  const at = (person: Person) => person.at({ ...person.place, port })
  expect((await at(org.owner).get('/users/me')).status).toBe(200)
  return at
}

const ok = { status: 200, body: { result: 'success' } }

test('a key that another node has just made is good, every time, however large the request is', async () => {
  const org = await organization()
  const at = await elsewhere(org)
  for (let i = 0; i < 10; i++) {
    const { body } = await org.visitor.post('/fetch_api_key', {
      username: org.owner.email,
      password: 'correct horse',
    })
    const client = at(new Person(org.place, { ...org.owner, key: body.api_key }))
    const padding = 'x'.repeat(i % 2 ? 10 : httpLimits.anonymousBody)
    expect(await client.post('/messages/render', { content: 'hello', padding })).toMatchObject(ok)
  }
})

test('a session that another node has just begun is good', async () => {
  const org = await organization()
  const { port } = await anotherNode()
  const there = new Browser({ ...org.place, port })
  expect(await there.status()).toBe(401)
  for (let i = 0; i < 5; i++) {
    const here = new Browser(org.place)
    await here.logIn(org.owner.email, 'correct horse')
    there.cookie = here.cookie
    expect(await there.status()).toBe(200)
  }
})

test('what one node has just made or allowed can be used at another', async () => {
  const org = await organization()
  const { owner } = org
  const at = await elsewhere(org)
  const there = at(owner)
  for (let i = 0; i < 3; i++) {
    const params = { email: `new${i}@example.com`, full_name: `New ${i}`, password: 'correct horse' }
    const { user_id } = (await owner.post('/users', params)).body
    expect(await there.get(`/users/${user_id}`)).toMatchObject(ok)

    const person = await org.person()
    const message = await direct(owner, [person], 'hello')
    expect(await messageIn(at(person), message)).toMatchObject({ id: message })
    expect(await at(person).post(`/messages/${message}/reactions`, { emoji_name: 'tada' })).toMatchObject(ok)

    const subscriptions = [{ name: `channel ${i}` }]
    expect(await owner.post('/users/me/subscriptions', { subscriptions })).toMatchObject(ok)
    await sender(there, { id: org.state.channelByName(`channel ${i}`)!.id })('t', 'hello')

    const group = { name: `group ${i}`, description: '', members: [owner.id] }
    const { group_id } = (await owner.post('/user_groups/create', group)).body
    expect(await there.post(`/user_groups/${group_id}/members`, { add: [person.id] })).toMatchObject(ok)

    const ask = () => at(person).post('/users', { ...params, email: `by.admin${i}@example.com` })
    expect(await ask()).toMatchObject({ status: 400 })
    await owner.patch(`/users/${person.id}`, { role: 100 })
    await owner.patch('/realm', { description: 'now' })
    expect(await at(person).patch('/realm', { description: `by an owner ${i}` })).toMatchObject(ok)
  }
})

test('what a user undoes at one node, right after they did it at another, is undone', async () => {
  const org = await organization()
  const { owner } = org
  const ben = await org.person({ name: 'Ben' })
  const before = { description: 'before' }
  await owner.patch('/realm', before)
  await owner.post('/zcommand', { command: '/light' })
  const there = (await elsewhere(org))(owner)
  const { name } = org.state.row
  const undone: [change: (who: Person) => Promise<Answer>, undo: (who: Person) => Promise<Answer>][] = [
    [(who) => who.patch('/realm', { description: 'after' }), (who) => who.patch('/realm', before)],
    [(who) => who.patch('/realm', { name: 'Other' }), (who) => who.patch('/realm', { name })],
    [
      (who) => who.patch(`/users/${ben.id}`, { full_name: 'Benno' }),
      (who) => who.patch(`/users/${ben.id}`, { full_name: 'Ben' }),
    ],
    [
      (who) => who.patch('/settings', { full_name: 'Otto' }),
      (who) => who.patch('/settings', { full_name: 'Owner' }),
    ],
    [
      (who) => who.post('/zcommand', { command: '/dark' }),
      (who) => who.post('/zcommand', { command: '/light' }),
    ],
  ]
  const seen = async () => {
    await org.log.catchUp()
    const { state } = await owner.register()
    const names = state.realm_users.map((one: { full_name: string }) => one.full_name).sort()
    return [state.realm_name, state.realm_description, names, state.user_settings.color_scheme]
  }
  const atFirst = await seen()
  for (const [change, undo] of undone) {
    expect(await change(owner)).toMatchObject(ok)
    expect(await undo(there)).toMatchObject(ok)
    expect(await seen()).toEqual(atFirst)
  }
})

const all = { anchor: 'oldest', num_before: 0, num_after: 100, narrow: [] }

test.each<[string, (who: Person, ids: number[]) => Promise<Answer>]>([
  ['by id', (who, messages) => who.post('/messages/flags', { messages, op: 'add', flag: 'read' })],
  ['by a narrow', (who) => who.post('/messages/flags/narrow', { ...all, op: 'add', flag: 'read' })],
  ['as everything', (who) => who.post('/mark_all_as_read')],
])(
  'messages in a channel and a conversation that another node has just opened are marked as read %s',
  async (_, mark) => {
    const org = await organization()
    const ben = await org.person({ name: 'Ben' })
    const at = await elsewhere(org)
    await org.owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'new' }] })
    const ids = [
      await sender(ben, { id: org.state.channelByName('new')!.id })('t', 'hello'),
      await direct(ben, [org.owner], 'hello'),
    ]
    expect(await mark(at(org.owner), ids)).toMatchObject(ok)
    const { unread_msgs } = (await at(org.owner).register()).state
    const unread = [...unread_msgs.streams, ...unread_msgs.pms].flatMap((one) => one.unread_message_ids)
    expect(unread.filter((id: number) => ids.includes(id))).toEqual([])
  },
)

test('a request for something unknown or forbidden stays refused, and nothing is written twice', async () => {
  const org = await organization()
  const at = await elsewhere(org)
  await direct(org.owner, [org.owner], 'news for the other node')
  expect(await at(org.owner).get('/users/999999')).toMatchObject({ status: 400 })
  const stranger = at(new Person(org.place, { ...org.owner, key: 'x'.repeat(32) }))
  expect(await stranger.get('/users/me')).toMatchObject({ status: 401, body: { msg: 'Invalid API key' } })
  const wrong = { username: org.owner.email, password: 'wrong' }
  const login = () => at(org.owner).post('/fetch_api_key', wrong)
  for (let i = 0; i < 5; i++) {
    await direct(org.owner, [org.owner], 'more news')
    expect(await login()).toMatchObject({ status: 401 })
  }
  expect(await login()).toMatchObject({ status: 429 })
})

test('a node that hears of something while it works on a request looks for what came after that', async () => {
  const { log, id, owner } = await organization()
  const other = await anotherLog(server.node.app.realms.databases, id)
  const rename = (full_name: string) =>
    log.commit((change) => change.update('account', { id: owner.id, full_name }))
  let tries = 0
  const work = async () => {
    if (++tries === 1) {
      await rename('First')
      await other.catchUp()
      await rename('Second')
    }
    if (other.state.users.require(owner.id).full_name !== 'Second') throw badRequest('Not so named')
    return 'found'
  }
  expect(await new SecondLooks().run(other, 'caller', work)).toBe('found')
})

test('a node that has lost its database refuses nothing that another may have made, however often it is asked', async () => {
  const { owner, place } = await organization()
  const line = await DatabaseLine.to(server.databaseUrl)
  const node = await startNode(line.url, { natsUrl: 'nats://127.0.0.1:1' })
  const there = owner.at({ ...place, port: node.port })
  expect(await there.get('/users/me')).toMatchObject(ok)
  await line.close()
  expect(await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'new' }] })).toMatchObject(ok)
  const send = () => there.post('/messages', { type: 'channel', to: 'new', topic: 't', content: 'hello' })
  const answers = []
  for (let i = 0; i < 2 * httpLimits.secondLooks; i++) answers.push((await send()).status)
  expect(new Set(answers)).toEqual(new Set([503]))
  await node.close()
})

test('each caller has a limited number of looks a minute', async () => {
  const { log, id, owner } = await organization()
  const other = await anotherLog(server.node.app.realms.databases, id)
  const looks = new SecondLooks(() => 0)
  const look = async (who: string) => {
    await log.commit((change) => change.update('account', { id: owner.id, full_name: who }))
    return looks.hasNews(other, who, other.readUpTo)
  }
  for (let i = 0; i < httpLimits.secondLooks; i++) expect(await look('stranger')).toBe(true)
  expect(await look('stranger')).toBe(false)
  expect(await look('another caller')).toBe(true)
  // Many concurrent requests share one look, which begins after each of them.
  await log.commit((change) => change.update('account', { id: owner.id, full_name: 'concurrent' }))
  const since = other.readUpTo
  const found = await Promise.all(Array.from({ length: 20 }, (_, i) => looks.hasNews(other, `${i}`, since)))
  expect(found).toEqual(Array(20).fill(true))
})
