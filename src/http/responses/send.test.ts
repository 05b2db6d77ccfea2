import { expect, test } from 'vitest'
import { sharedServer } from '../../../test/test-server.ts'

const { organization } = sharedServer()

test('a long answer is compressed for clients that accept it', async () => {
  const { owner } = await organization()
  const raw = await owner.raw({
    method: 'POST',
    path: '/api/v1/register',
    headers: { 'accept-encoding': 'br, gzip;q=0.8' },
  })
  expect(raw.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  expect(raw.body).toMatchObject({ result: 'success', user_id: owner.id })
  for (const coding of ['identity', 'gzip;q=0']) {
    const plain = await owner.raw({
      method: 'POST',
      path: '/api/v1/register',
      headers: { 'accept-encoding': coding },
    })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(plain.body).toMatchObject({ result: 'success' })
  }
})

test('a short answer is not compressed', async () => {
  const { owner } = await organization()
  const headers = { 'accept-encoding': 'gzip' }
  const answer = await owner.raw({ method: 'GET', path: '/api/v1/server_settings', headers })
  expect(answer.status).toBe(200)
  expect(answer.headers).not.toHaveProperty('content-encoding')
})
