import { expect, test } from 'vitest'
import { testServer } from '../../../../test/test-server.ts'
import { httpLimits } from '../../../http/limits.ts'

const { organization } = testServer({ rateLimits: true })

const { anonymousRequestsPerMinute, requestsPerMinute } = httpLimits

test('pictures and pages of many people in one network use up nobody’s requests', async () => {
  const { visitor, owner, id } = await organization()
  const statuses = async (who: typeof visitor, path: string, count: number) => {
    const found = new Set<number>()
    for (let i = 0; i < count; i++) found.add((await who.raw({ method: 'GET', path })).status)
    return [...found]
  }
  const more = (limit: number) => Math.ceil(1.5 * limit)
  const drawn = `/user_avatars/${id}/drawn/${owner.id}.png`
  expect(await statuses(visitor, drawn, more(anonymousRequestsPerMinute))).toEqual([200])
  expect(await statuses(visitor, '/', more(anonymousRequestsPerMinute))).toHaveLength(1)
  expect(await statuses(owner, `/avatar/${owner.id}`, more(requestsPerMinute))).toEqual([302])
  expect((await visitor.get('/server_settings')).status).toBe(200)
  expect((await owner.get('/users/me')).status).toBe(200)
})
