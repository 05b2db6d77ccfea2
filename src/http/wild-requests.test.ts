import { expect, test } from 'vitest'
import type { Organization } from '../../test/organization.ts'
import { brokenBodies, exchange, oddBodies, wildHeads } from '../../test/random/wild-requests.ts'
import { sharedServer } from '../../test/test-server.ts'
import { allEndpoints } from '../features/index.ts'
import { fileLimit } from './params.ts'
import { apiPrefix } from './server.ts'

// Requests that no client sends. Each gets a response in the 400s, and the server goes on.

const { organization } = sharedServer()

const takingFiles = allEndpoints
  .filter(({ params, root }) => fileLimit(params) !== undefined && !root)
  .map(({ method, path }) => ({ method, path }))

test('there are several operations that take files', () => {
  expect(takingFiles.length).toBeGreaterThan(4)
})

test.each(takingFiles)('$method $path refuses bodies that are broken', async ({ method, path }) => {
  const org = await organization()
  for (const { name, type, body } of brokenBodies) {
    const answer = await org.owner.raw({
      method,
      path: apiPrefix + filled(path, org),
      headers: { 'content-type': type },
      body,
    })
    expect(answer, name).toMatchObject({ status: 400, body: { result: 'error' } })
  }
})

test.each(takingFiles)('$method $path answers bodies that are odd', async ({ method, path }) => {
  const org = await organization()
  for (const { name, type, body } of [...oddBodies, ...oddBodies.flatMap(cuts)]) {
    const headers = { 'content-type': type }
    const answer = await org.owner.raw({ method, path: apiPrefix + filled(path, org), headers, body })
    expect(answer.status, name).toBeLessThan(500)
    expect(answer.body, name).toMatchObject({ result: expect.any(String) })
  }
})

test('an operation that takes no files refuses broken bodies, too', async () => {
  const { visitor } = await organization()
  for (const { name, type, body } of [...brokenBodies, ...oddBodies]) {
    const path = `${apiPrefix}/fetch_api_key`
    const answer = await visitor.raw({ method: 'POST', path, headers: { 'content-type': type }, body })
    expect(answer, name).toMatchObject({ status: 400, body: { result: 'error', code: expect.any(String) } })
  }
})

test('a name that is missing is told from a body that breaks off', async () => {
  const { owner } = await organization()
  const { type, body } = brokenBodies[0]!
  const path = `${apiPrefix}/user_uploads`
  const answer = await owner.raw({ method: 'POST', path, headers: { 'content-type': type }, body })
  expect(answer).toMatchObject({ status: 400, body: { msg: 'Malformed multipart body' } })
})

test('requests with odd heads get an answer in the 400s', async () => {
  const { owner, place } = await organization()
  const found = await Promise.all(
    wildHeads(owner).map(async ({ name, bytes, status }) => {
      const answer = await exchange(place.port, bytes)
      const got = /^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 'no answer'
      const isRight = typeof status === 'number' ? got === String(status) : status.test(got)
      return isRight ? [] : `${name}: ${got}, not ${status}`
    }),
  )
  expect(found.flat()).toEqual([])
  expect((await owner.get('/users/me')).status).toBe(200)
})

function filled(path: string, org: Organization) {
  return path.replace('{emoji_name}', 'tada').replace(/\{\w+\}/g, String(org.owner.id))
}

function cuts({ name, type, body }: (typeof oddBodies)[number]) {
  return [1, 2, 3].map((part) => ({
    name: `${name}, cut at ${part}`,
    type,
    body: body.subarray(0, Math.floor((body.length * part) / 4)),
  }))
}
