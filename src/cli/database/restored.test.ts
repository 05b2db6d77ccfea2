import { cp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { poll } from '../../../test/client.ts'
import { newDirectory, personOf, type Server, startServer } from '../../../test/command-line.ts'
import { direct } from '../../../test/messages.ts'
import type { Person } from '../../../test/person.ts'
import { newDatabase } from '../../../test/runner/database.ts'

async function ownerOf(server: Server): Promise<Person> {
  return personOf(server, await readFile(join(server.directory, 'zuliprc'), 'utf8'))
}

test('after an older copy of the data directory was put back, clients register anew', {
  timeout: 180_000,
}, async () => {
  const directory = await newDirectory()
  const copy = await newDirectory()
  const first = await startServer({ ROOKERY_DATA: directory })
  const owner = await ownerOf(first)
  const { queueId, state } = await owner.register({ event_types: ['message'] })
  await direct(owner, [owner], 'in the copy')
  await first.stop('SIGTERM')
  await cp(directory, copy, { recursive: true, preserveTimestamps: true })

  const second = await startServer({ ROOKERY_DATA: directory })
  const later = owner.at({ port: second.port, host: 'localhost' })
  for (let i = 0; i < 3; i++) await direct(later, [later], `lost ${i}`)
  // After a mere restart, the queue goes on.
  const { body } = await poll(later, queueId, state.last_event_id)
  expect(body.events).toHaveLength(4)
  await second.stop('SIGTERM')
  await rm(directory, { recursive: true })
  await cp(copy, directory, { recursive: true, preserveTimestamps: true })

  const third = await startServer({ ROOKERY_DATA: directory })
  const back = owner.at({ port: third.port, host: 'localhost' })
  for (let i = 0; i < 5; i++) await direct(back, [back], `new ${i}`)
  expect((await poll(back, queueId, body.events.at(-1).id)).body.code).toBe('BAD_EVENT_QUEUE_ID')
  await third.stop('SIGTERM')
})

test('rookery restored ends all queues, also beside a server that runs', async () => {
  const database = await newDatabase()
  const server = await startServer({ DATABASE_URL: database.url, ROOKERY_DATA: await newDirectory() })
  const owner = await ownerOf(server)
  const { queueId, state } = await owner.register({ event_types: ['message'] })
  expect(await server.rookery('restored')).toMatchObject({
    status: 0,
    stdout: 'All clients register anew.\n',
  })
  await vi.waitFor(
    async () =>
      expect((await poll(owner, queueId, state.last_event_id)).body.code).toBe('BAD_EVENT_QUEUE_ID'),
    { timeout: 20_000 },
  )
  const { queueId: fresh, state: now } = await owner.register({ event_types: ['message'] })
  await direct(owner, [owner], 'hello')
  expect((await poll(owner, fresh, now.last_event_id)).body.events).toHaveLength(1)
  await server.stop('SIGTERM')
  await database.drop()
})
