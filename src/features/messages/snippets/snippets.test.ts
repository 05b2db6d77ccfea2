import { expect, test } from 'vitest'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { snippetLimits } from './limits.ts'

const { organization } = sharedServer()

async function create(who: Person, title: string, content: string): Promise<number> {
  return (await who.post('/saved_snippets', { title, content })).body.saved_snippet_id
}

test('creates, edits and deletes snippets and updates the user’s other clients', async () => {
  const org = await organization()
  const anna = await org.person()
  const [mine, his] = [await org.owner.register(), await anna.register()]
  const id = await create(org.owner, ' T1 ', ' C1 ')
  const snippet = { id, title: 'T1', content: 'C1', date_created: expect.any(Number) }
  expect(await mine.events()).toMatchObject([{ type: 'saved_snippets', op: 'add', saved_snippet: snippet }])
  await mine.expectStateToMatch()
  await org.owner.patch(`/saved_snippets/${id}`, { title: 'T2' })
  expect(await mine.events()).toMatchObject([
    { op: 'update', saved_snippet: { id, title: 'T2', content: 'C1' } },
  ])
  await org.owner.patch(`/saved_snippets/${id}`, { content: 'C2' })
  await mine.expectStateToMatch()
  expect((await org.owner.get('/saved_snippets')).body.saved_snippets).toEqual([
    { ...snippet, title: 'T2', content: 'C2' },
  ])
  expect((await org.owner.patch(`/saved_snippets/${id}`, {})).status).toBe(200)
  expect(await mine.events()).toEqual([])
  await org.owner.delete(`/saved_snippets/${id}`)
  expect(await mine.events()).toMatchObject([{ op: 'remove', saved_snippet_id: id }])
  await mine.expectStateToMatch()
  expect(await his.events()).toEqual([])
})

test('users cannot access snippets of other users', async () => {
  const org = await organization()
  const anna = await org.person()
  const id = await create(org.owner, 'T', 'C')
  const missing = { status: 404, body: { code: 'BAD_REQUEST', msg: 'Saved snippet does not exist.' } }
  expect(await anna.patch(`/saved_snippets/${id}`, { title: 'q' })).toMatchObject(missing)
  expect(await anna.delete(`/saved_snippets/${id}`)).toMatchObject(missing)
  expect((await anna.get('/saved_snippets')).body.saved_snippets).toEqual([])
  expect((await org.owner.get('/saved_snippets')).body.saved_snippets).toHaveLength(1)
})

test.each([
  [{ title: ' ', content: 'x' }, 'title cannot be blank'],
  [{ title: 'x', content: '' }, 'content cannot be blank'],
  [{ title: 'x'.repeat(61), content: 'x' }, 'title is too long (limit: 60 characters)'],
  [{ title: 'x', content: 'c'.repeat(10_001) }, 'content is too long (limit: 10000 characters)'],
  [{ title: 'x' }, "Missing 'content' argument"],
  [{ content: 'x' }, "Missing 'title' argument"],
])('rejects %j', async (params, msg) => {
  const org = await organization()
  expect(await org.owner.post('/saved_snippets', { ...params })).toMatchObject({ status: 400, body: { msg } })
})

test('limits the number of snippets', async () => {
  const org = await organization()
  const row = { user_id: org.owner.id, title: 'T', content: 'C', created_at: 1 }
  await org.log.commit((change) =>
    change.insertAll('saved_snippet', Array(snippetLimits.savedSnippetsPerUser).fill(row)),
  )
  const answer = await org.owner.post('/saved_snippets', { title: 'T', content: 'C' })
  expect(answer.body.msg).toBe('Too many saved snippets.')
})
