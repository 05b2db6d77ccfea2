import { connect } from 'node:net'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { metricOf, metricsToken } from '../../../test/command-line.ts'
import type { Answer } from '../../../test/http.ts'
import { contentsOf, sender } from '../../../test/messages.ts'
import type { Organization } from '../../../test/organization.ts'
import { basic, Caller, type Person } from '../../../test/person.ts'
import { testServer } from '../../../test/test-server.ts'
import { createMetrics } from '../../monitoring/metrics.ts'

/** Much less than a real server has. */
const admissionLimits = {
  concurrentRequests: 60,
  concurrentRequestsPerOrganization: 40,
  concurrentRequestsPerUser: 20,
  essentialRequests: 10,
  concurrentLarge: 2,
  largeWaiting: 20,
  largeWaitingEach: 10,
  heavyWaiting: 20,
  heavyWaitingEach: 10,
}
const here = testServer({
  admissionLimits,
  monitoring: { metrics: await createMetrics(), token: metricsToken },
})
const { organization } = here

/** Holds a lock in the database; returns the function that releases it. */
async function lock(statement: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: here.databaseUrl })
  await client.connect()
  let isHeld = true
  const release = async () => {
    if (isHeld) await client.end()
    isHeld = false
  }
  onTestFinished(release)
  await client.query('BEGIN')
  await client.query(statement)
  return release
}

/** Lets no change of the organization be written. */
function lockLog(org: Organization) {
  return lock(`SELECT FROM realm_head WHERE realm_id = ${org.id} FOR UPDATE`)
}

/** Lets no page of messages be read. */
function lockPages() {
  return lock('LOCK TABLE reaction')
}

/** Asks so often at the same time. Gathers the answers as they come. */
function askMany(count: number, ask: (n: number) => Promise<Answer>) {
  const answers: Answer[] = []
  const all = Promise.all(
    Array.from({ length: count }, async (_, n) => {
      answers.push(await ask(n))
    }),
  )
  return { answers, all }
}

function withStatus(answers: Answer[], status: number) {
  return answers.filter((answer) => answer.status === status)
}

const send = (person: Person, channel: { id: number }, content: string) =>
  person.post('/messages', { type: 'channel', to: channel.id, topic: 'news', content })

const search = (person: Person, word: string) =>
  person.get('/messages', {
    anchor: 'newest',
    num_before: 5,
    num_after: 0,
    narrow: [{ operator: 'search', operand: word }],
  })

/** Three people in one channel that has a message. */
async function three() {
  const org = await organization()
  const [ann, bob, cy] = [await org.person(), await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [ann, bob, cy] })
  await sender(ann, channel)('news', 'the first one')
  return { org, ann, bob, cy, channel }
}

function metric(name: string) {
  return metricOf({ place: { port: here.node.port, host: 'by.address' } }, name)
}

test('beyond its room an organization gets 503 immediately, nothing is half done, and others go on', async () => {
  const { org, ann, bob, cy, channel } = await three()
  const elsewhere = await organization()
  const { owner } = elsewhere
  const there = await elsewhere.channel({ subscribers: [owner] })
  const most = admissionLimits.concurrentRequestsPerOrganization
  const release = await lockLog(org)
  const people = [ann, bob, cy]
  const { answers, all } = askMany(most + 8, (n) => send(people[n % 3]!, channel, `message ${n}`))
  await expect.poll(() => answers.length).toBe(8)
  for (const { status, headers, body } of answers) {
    expect([status, headers['retry-after'], headers['content-type']]).toEqual([503, '1', 'application/json'])
    expect(headers['x-request-id']).toEqual(expect.any(String))
    expect(body).toEqual({
      result: 'error',
      msg: 'The server has too much to do right now. Try again in a moment.',
      'retry-after': 1,
      code: 'SERVER_NOT_READY',
    })
  }
  expect((await send(owner, there, 'all is well here')).status).toBe(200)
  expect((await owner.get('/users/me')).status).toBe(200)
  expect(await metric('rookery_requests_under_way')).toBe(most)
  await release()
  await all
  expect(withStatus(answers, 200)).toHaveLength(most)
  expect(await contentsOf(ann, channel)).toHaveLength(1 + most)
  expect((await send(ann, channel, 'after all that')).status).toBe(200)
})

test('when others are refused, sends, events and registrations still have room', async () => {
  const { org, ann, bob, cy, channel } = await three()
  const client = await cy.register()
  const release = await lockLog(org)
  const most = admissionLimits.concurrentRequestsPerOrganization - admissionLimits.essentialRequests
  const { answers, all } = askMany(most + 8, (n) =>
    [ann, bob][n % 2]!.post('/users/me/status', { status_text: `${n}` }),
  )
  await expect.poll(() => answers.length).toBe(8)
  expect(withStatus(answers, 503)).toHaveLength(8)
  expect((await cy.get('/users/me')).status).toBe(503)
  // The head of a request suffices to refuse it: the caller is not looked up.
  const unknown = new Caller(ann.place)
  expect((await unknown.get('/users/me')).status).toBe(503)
  expect((await unknown.post('/external/json?api_key=unknown')).status).toBe(401)
  expect(await client.events()).toEqual([])
  const sending = send(cy, channel, 'in spite of all')
  await release()
  expect((await sending).status).toBe(200)
  await all
})

test('one user’s excess is refused with 429, and does not refuse another', async () => {
  const { org, ann, bob, channel } = await three()
  const refusedBefore = await metric('rookery_requests_refused_total{exceeded="user"}')
  const release = await lockLog(org)
  const most = admissionLimits.concurrentRequestsPerUser
  const { answers, all } = askMany(most + 10, (n) => send(ann, channel, `message ${n}`))
  await expect.poll(() => answers.length).toBe(10)
  for (const { status, headers, body } of answers) {
    expect([status, headers['retry-after']]).toEqual([429, '1'])
    expect(body).toEqual({
      result: 'error',
      msg: 'API usage exceeded rate limit',
      'retry-after': 1,
      code: 'RATE_LIMIT_HIT',
    })
  }
  const bobs = send(bob, channel, 'mine')
  expect((await bob.get('/users/me')).status).toBe(200)
  expect(await metric('rookery_requests_refused_total{exceeded="user"}')).toBe(refusedBefore + 10)
  await release()
  expect((await bobs).status).toBe(200)
  await all
  expect(withStatus(answers, 200)).toHaveLength(most)
})

test('sends, events and registrations go on while searches take all that they may', async () => {
  const { ann, bob, cy, channel } = await three()
  const client = await cy.register({ event_types: ['message'] })
  const release = await lockPages()
  const { heavyWaitingEach } = admissionLimits
  // One of Ann's is carried out, and as many wait as may.
  const anns = askMany(heavyWaitingEach + 6, (n) => search(ann, `word${n}`))
  await expect.poll(() => anns.answers.map(({ status }) => status)).toEqual(Array(5).fill(429))
  const bobs = askMany(3, (n) => search(bob, `word${n}`))
  expect((await send(cy, channel, 'while they search')).status).toBe(200)
  expect((await client.events()).map(({ message }) => message.content)).toEqual(['<p>while they search</p>'])
  expect((await cy.post('/register')).status).toBe(200)
  expect(await metric('rookery_heavy_requests_waiting')).toBe(heavyWaitingEach + 2)
  await release()
  await bobs.all
  expect(withStatus(bobs.answers, 200)).toHaveLength(3)
  await anns.all
  expect(withStatus(anns.answers, 200)).toHaveLength(heavyWaitingEach + 1)
})

test('sends go on while registrations take all that they may', async () => {
  const { ann, bob, cy, channel } = await three()
  const release = await lock('LOCK TABLE draft')
  const register = (person: Person) => () => person.post('/register')
  const anns = askMany(1 + admissionLimits.largeWaitingEach, register(ann))
  const underWay = () => metric('rookery_requests_under_way')
  await expect.poll(underWay).toBe(1 + admissionLimits.largeWaitingEach)
  // Half of what is left by then waits, as he leaves as much to others.
  const bobs = askMany(1 + admissionLimits.largeWaitingEach, register(bob))
  await expect.poll(() => withStatus(bobs.answers, 503)).toHaveLength(admissionLimits.largeWaitingEach / 2)
  expect((await ann.post('/register')).status).toBe(429)
  expect((await send(cy, channel, 'while they register')).status).toBe(200)
  await release()
  await Promise.all([anns.all, bobs.all])
  expect(withStatus(anns.answers, 200)).toHaveLength(1 + admissionLimits.largeWaitingEach)
  expect(withStatus(bobs.answers, 200)).toHaveLength(1 + admissionLimits.largeWaitingEach / 2)
})

test('a page of a channel that is named like a search does not wait with the searches', async () => {
  const { org, ann } = await three()
  await org.channel({ name: 'research', subscribers: [ann] })
  const release = await lockPages()
  const searches = askMany(2, (n) => search(ann, `word${n}`))
  const narrow = [{ operator: 'channel', operand: 'research' }]
  const page = ann.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow })
  await expect.poll(() => metric('rookery_requests_under_way')).toBe(3)
  expect(await metric('rookery_heavy_requests_waiting')).toBe(1)
  await release()
  expect((await page).status).toBe(200)
  await searches.all
})

test('a search whose client has left gives its turn to others', async () => {
  const { ann } = await three()
  const release = await lockPages()
  const first = search(ann, 'first')
  const waiting = () => metric('rookery_heavy_requests_waiting')
  const second = search(ann, 'second')
  await expect.poll(waiting).toBe(1)
  const leaver = connect(here.node.port, '127.0.0.1')
  const narrow = encodeURIComponent(JSON.stringify([{ operator: 'search', operand: 'third' }]))
  const head = [
    `GET /api/v1/messages?anchor=newest&num_before=5&num_after=0&narrow=${narrow} HTTP/1.1`,
    `host: ${ann.place.host}`,
  ]
  leaver.write([...head, `authorization: ${basic(ann.email, ann.key)}`, '\r\n'].join('\r\n'))
  await expect.poll(waiting).toBe(2)
  leaver.destroy()
  await expect.poll(waiting).toBe(1)
  await release()
  expect([(await first).status, (await second).status]).toEqual([200, 200])
})

test('who waits for events takes no room', async () => {
  const { owner } = await organization()
  const queues: string[] = []
  const half = Math.ceil((admissionLimits.concurrentRequestsPerUser + 1) / 2)
  for (const _ of ['one half', 'the other']) {
    const made = askMany(half, () => owner.get('/events', { dont_block: true, event_types: ['user_status'] }))
    await made.all
    queues.push(...made.answers.map(({ body }) => body.queue_id))
  }
  const polls = askMany(queues.length, (n) =>
    owner.get('/events', { queue_id: queues[n], last_event_id: -1 }),
  )
  await expect.poll(() => metric('rookery_open_polls')).toBe(queues.length)
  expect((await owner.post('/users/me/status', { status_text: 'here' })).status).toBe(200)
  await polls.all
  expect(withStatus(polls.answers, 200)).toHaveLength(queues.length)
})
