import { expect, test } from 'vitest'
import { world } from '../../test/world.ts'
import { limits } from '../lib/limits.ts'

const { organization } = world({ rateLimits: true, trustProxy: true })

test('behind a proxy, limits count what the proxy says, not what others have said to it', async () => {
  const { visitor } = await organization()
  const ask = (addresses: string) =>
    visitor.get('/server_settings', {}, { headers: { 'x-forwarded-for': addresses } })
  for (let i = 0; i < limits.anonymousRequestsPerMinute; i++) {
    expect((await ask(`198.51.100.${i}, 203.0.113.7`)).status).toBe(200)
  }
  expect((await ask('198.51.100.200, 203.0.113.7')).status).toBe(429)
  expect((await ask('203.0.113.8')).status).toBe(200)
})

test('whoever has many addresses of one network is limited as one', async () => {
  const { visitor } = await organization()
  const statuses = []
  for (let i = 0; i <= limits.anonymousRequestsPerMinute; i++) {
    const headers = { 'x-forwarded-for': `2001:db8:1:2::${i.toString(16)}` }
    statuses.push((await visitor.get('/server_settings', {}, { headers })).status)
  }
  expect(statuses.slice(0, -1)).toEqual(Array(limits.anonymousRequestsPerMinute).fill(200))
  expect(statuses.at(-1)).toBe(429)
})
