import pg from 'pg'
import { expect, test } from 'vitest'
import { testServer } from '../../test/test-server.ts'

const lines: string[] = []
const here = testServer({ log: (line) => lines.push(line) })

const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)

test('a failure that nobody expected is logged under the id that its answer has, and without the key', async () => {
  const { owner } = await here.organization()
  const client = new pg.Client({ connectionString: here.databaseUrl })
  await client.connect()
  await client.query('ALTER TABLE draft RENAME COLUMN realm_id TO realm_away')
  const answer = await owner.get('/drafts')
  await client.query('ALTER TABLE draft RENAME COLUMN realm_away TO realm_id')
  await client.end()

  expect(answer).toMatchObject({ status: 500, body: { result: 'error', msg: 'Internal server error' } })
  const reqId = answer.headers['x-request-id']
  const [failure] = logged().filter((line) => line.msg === 'request failed')
  expect(failure).toMatchObject({
    level: 50,
    reqId,
    operation: 'GET /drafts',
    err: { stack: expect.stringContaining('get-drafts') },
  })
  expect(lines.join()).not.toContain(owner.key)
  expect((await owner.get('/drafts')).status).toBe(200)
})

test('who wants to know of every answer finds each by its id, with its status and time', async () => {
  const { owner } = await here.organization()
  const answer = await owner.get(`/users/${owner.id}?api_key=secret`)
  const reqId = answer.headers['x-request-id']
  const found = logged().filter((line) => line.reqId === reqId)
  expect(found).toMatchObject([{ method: 'GET', status: 200, ms: expect.any(Number) }])
  expect(found[0]!.path).toMatch(/^\/api\/v1\/users\/:user_id/)
  expect(lines.join()).not.toContain('secret')
})

test('the key of a link that is opened is not logged', async () => {
  const { owner, visitor } = await here.organization()
  const link = new URL((await owner.post('/invites/multiuse', { invite_as: 400 })).body.invite_link)
  expect((await visitor.raw({ method: 'GET', path: link.pathname })).status).toBe(200)
  const key = link.pathname.split('/')[2]!
  expect(lines.join()).toContain('/join/')
  expect(lines.join()).not.toContain(key)
})
