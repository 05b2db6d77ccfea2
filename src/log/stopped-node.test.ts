import { expect, test, vi } from 'vitest'
import { newDatabase } from '../../test/database.ts'
import { DatabaseLine } from '../../test/database-line.ts'
import { saysNotNow } from '../../test/load.ts'
import { newOrganization } from '../../test/organization.ts'
import { startNode } from '../../test/test-server.ts'
import { logLimits } from './limits.ts'

test('a node that stops while it writes does not make the writes of others fail', async () => {
  const database = await newDatabase()
  const line = await DatabaseLine.to(database.url)
  const [stopped, other] = [await startNode(line.url), await startNode(database.url)]
  try {
    const { owner } = await newOrganization(stopped, '')
    const beside = owner.at(other)
    await beside.post('/messages', { type: 'direct', to: [owner.id], content: 'the first' })

    line.stopAfter('for no key update')
    const change = owner.patch('/settings', { full_name: 'Never' })
    await vi.waitUntil(() => line.hasLostAll)
    const [sent, renamed] = await Promise.all([
      beside.post('/messages', { type: 'direct', to: [owner.id], content: 'not held up for long' }),
      beside.patch('/settings', { full_name: 'New name' }),
    ])
    expect(sent.body).toMatchObject({ result: 'success' })
    expect(renamed.body).toMatchObject({ result: 'success' })
    expect(await change).toSatisfy(saysNotNow)
    expect((await beside.get('/users/me')).body).toMatchObject({ full_name: 'New name' })
  } finally {
    await stopped.close()
    await other.close()
    await line.close()
    await database.drop()
  }
})

test('a node that has missed very much writes at the end of the log, and its clients get all of it', async () => {
  const database = await newDatabase()
  const line = await DatabaseLine.to(database.url)
  line.stopAfter('LISTEN')
  const [deaf, other] = [await startNode(line.url), await startNode(database.url)]
  try {
    const { owner } = await newOrganization(deaf, '')
    const client = await owner.register()
    const beside = owner.at(other)
    const count = logLimits.entriesPerRead + 100
    for (let sent = 0; sent < count; sent += 50) {
      const send = (_: unknown, i: number) =>
        beside.post('/messages', { type: 'direct', to: [owner.id], content: `number ${sent + i}` })
      const answers = await Promise.all(Array.from({ length: 50 }, send))
      expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    }
    const renamed = await owner.patch('/settings', { full_name: 'New name' })
    expect(renamed.body).toMatchObject({ result: 'success' })
    const events = await client.events()
    expect(events.filter(({ type }) => type === 'message')).toHaveLength(count)
    expect(events.at(-1)).toMatchObject({ type: 'realm_user', person: { full_name: 'New name' } })
  } finally {
    await deaf.close()
    await other.close()
    await line.close()
    await database.drop()
  }
})
