import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testServer } from '../../test/test-server.ts'
import { prune } from '../log/prune.ts'

const w = testServer()
const week = 7 * 86_400

describe('an Idempotency-Key', () => {
  const snippet = (title: string) => ({ title, content: 'text' })
  const headers = { 'idempotency-key': 'k' }

  test('belongs to one user and one request, on every node', async () => {
    const org = await w.organization()
    const [anna, ben] = [await org.person(), await org.person()]
    const elsewhere = anna.at(await w.anotherNode().then(({ port }) => ({ port, host: '' })))
    const save = (who: typeof anna, title = 'a') => who.post('/saved_snippets', snippet(title), { headers })
    const first = await save(anna)
    expect((await save(elsewhere)).body).toEqual(first.body)
    expect((await save(ben)).body.saved_snippet_id).not.toBe(first.body.saved_snippet_id)
    const refused = {
      status: 422,
      body: {
        result: 'error',
        code: 'IDEMPOTENCY_KEY_REUSED',
        msg: 'Idempotency-Key belongs to another request',
      },
    }
    expect(await save(anna, 'b')).toMatchObject(refused)
    const draft = { drafts: [{ type: '', to: [], topic: '', content: 'x' }] }
    expect(await anna.post('/drafts', draft, { headers })).toMatchObject(refused)
    expect((await anna.get('/saved_snippets')).body.saved_snippets).toHaveLength(1)
  })

  test('of a request that was refused is free', async () => {
    const org = await w.organization()
    const folder = (name: string) =>
      org.owner.post('/channel_folders/create', { name, description: '' }, { headers })
    expect((await folder(' ')).status).toBe(400)
    expect((await folder('good')).status).toBe(200)
    expect((await folder('good')).status).toBe(200)
  })

  test('keeps an error that tells of what was done', async () => {
    const org = await w.organization()
    const invite = () => {
      const sent = { invitee_emails: `${org.owner.email}, dora@example.net`, stream_ids: [] }
      return org.owner.post('/invites', sent, { headers })
    }
    const first = await invite()
    expect(first).toMatchObject({ status: 400, body: { code: 'INVITATION_FAILED', sent_invitations: true } })
    expect(await invite()).toMatchObject({ status: 400, body: first.body })
  })

  test('gives no secret to the database', async () => {
    const org = await w.organization()
    const bot = () => org.owner.post('/bots', { full_name: 'Helper', short_name: 'helper' }, { headers })
    const first = await bot()
    expect((await bot()).body).toEqual(first.body)
    const rows = await w.node.app.realms.connections.read.rows(
      sql`SELECT * FROM idempotency_key WHERE realm_id = ${org.id}`,
    )
    expect(rows).toMatchObject([{ answer: null, sealed: expect.any(String) }])
    expect(JSON.stringify(rows)).not.toContain(first.body.api_key)
  })

  test('names the limit that it breaks', async () => {
    const { owner } = await w.organization()
    for (const key of ['', 'x'.repeat(201)]) {
      const answer = await owner.post('/saved_snippets', snippet('a'), {
        headers: { 'idempotency-key': key },
      })
      expect(answer).toMatchObject({ status: 400, body: { msg: 'Idempotency-Key is too long or empty' } })
    }
  })

  test('ends after a week', async () => {
    const { owner } = await w.organization()
    const save = async () => (await owner.post('/saved_snippets', snippet('a'), { headers })).body
    const first = await save()
    const clean = (after: number) =>
      prune(w.node.app.realms.connections.db, 1, Math.floor(Date.now() / 1000) + after)
    await clean(week - 60)
    expect(await save()).toEqual(first)
    await clean(week + 60)
    expect(await save()).not.toEqual(first)
  })
})
