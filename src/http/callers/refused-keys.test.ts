import type { FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { entriesOf } from '../../../test/audit-entries.ts'
import { basic } from '../../../test/person.ts'
import { testServer } from '../../../test/test-server.ts'
import type { Endpoint } from '../endpoint.ts'
import { httpLimits } from '../limits.ts'
import { RefusedKeys } from './refused-keys.ts'

const all = testServer()

test('refusals that an organization had no room for are logged once, and the next of these accounts are noted', async () => {
  const org = await all.organization()
  const ben = await org.person()
  const written: Record<string, unknown>[] = []
  let now = 0
  const logger = pino({ base: null }, { write: (line) => void written.push(JSON.parse(line)) })
  const refusedKeys = new RefusedKeys(logger, undefined, () => now)
  const headers = { authorization: basic(ben.email, 'a'.repeat(32)) }
  const endpoint = { method: 'GET', path: '/users/me' } as Endpoint
  const refuse = (ip: string) =>
    refusedKeys.note(org.log, endpoint, { id: 'a', ip, headers } as unknown as FastifyRequest)
  /** Returns the networks of the newest entries. */
  const networks = async () => {
    // A commit of the same organization waits for those before it.
    await org.owner.patch('/realm', { description: `At ${now}` })
    const entries = await entriesOf(org.owner, { limit: 1000 })
    return entries.filter(({ kind }) => kind === 'key.refuse').map(({ ip }) => ip)
  }

  for (let i = 0; i < httpLimits.refusedKeyEntries; i++) refuse(`10.0.0.${i}`)
  for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.1']) refuse(ip)
  expect(await networks()).toHaveLength(httpLimits.refusedKeyEntries)
  expect(written).toEqual([
    expect.objectContaining({
      level: 40,
      realmId: org.id,
      reqId: 'a',
      msg: 'too many refused API keys: the audit log leaves entries out',
    }),
  ])

  // There is room for one entry more.
  now += 3_600_000 / httpLimits.refusedKeyEntries + 1
  refuse('192.0.2.1')
  refuse('192.0.2.2')
  expect((await networks()).filter((ip) => /^192/.test(String(ip)))).toEqual(['192.0.2.1'])
  expect(written).toHaveLength(1)
  now += 3_600_000
  refuse('192.0.2.2')
  expect((await networks())[0]).toBe('192.0.2.2')
})
