import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeConnections } from '../../../../test/http.ts'
import { basic, Caller } from '../../../../test/person.ts'
import { ServerProcess } from '../../../../test/processes/server-process.ts'
import { RelayServer } from '../../../../test/programs/push-relay.ts'

const relay = new RelayServer({ showsClearText: true })
let server: ServerProcess

beforeAll(async () => {
  await relay.start()
  server = await ServerProcess.create({
    ROOKERY_PUSH_RELAY_URL: relay.url,
    ROOKERY_PUSH_RELAY_KEY: relay.key,
    ROOKERY_PUSH_CLEAR_TEXT: 'on',
  })
})

afterAll(async () => {
  closeConnections()
  await server?.remove()
  relay.stop()
})

test('sends each notification once, however often the server is killed during delivery', async () => {
  const owner = await server.owner()
  const anna = await newPerson(owner)
  await owner.post('/users/me/android_gcm_reg_id', { token: 'a token' })
  const to = [(await owner.get('/users/me')).body.user_id]
  const texts: string[] = []
  for (let round = 0; round < 2; round++) {
    relay.fault = 'silent'
    const before = relay.requests
    for (let i = 0; i < 20; i++) {
      texts.push(`message ${texts.length}`)
      const { body } = await anna.post('/messages', { type: 'direct', to, content: texts.at(-1) })
      expect(body).toMatchObject({ result: 'success' })
    }
    await expect.poll(() => relay.requests, { interval: 2 }).toBeGreaterThan(before)
    // Only the relay knows which notifications it has received.
    await server.kill()
    relay.fault = 'none'
    await server.start()
    await nobodyIsAtIt()
  }
  const heard = () => relay.taken.map(({ data }) => data.content)
  await expect.poll(heard, { timeout: 30_000, interval: 200 }).toHaveLength(texts.length)
  expect(heard()).toEqual(texts)
})

/** Releases the leases of the dead server. Another server would otherwise wait for their expiry. */
async function nobodyIsAtIt() {
  const database = new pg.Client({ connectionString: server.databaseUrl })
  await database.connect()
  await database.query('UPDATE job SET leased_until = 0')
  await database.end()
}

async function newPerson(owner: Caller): Promise<Caller> {
  const account = { email: 'anna@example.com', password: 'swordfish 12' }
  const made = await owner.post('/users', { ...account, full_name: 'Anna' })
  expect(made.body).toMatchObject({ result: 'success' })
  const { body } = await owner.post('/fetch_api_key', { username: account.email, password: account.password })
  return new Caller(owner.place, { authorization: basic(account.email, body.api_key) })
}
