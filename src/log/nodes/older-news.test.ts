import { expect, test } from 'vitest'
import { anotherLog } from '../../../test/another-log.ts'
import { testServer } from '../../../test/test-server.ts'
import { Databases } from '../../db/databases.ts'
import type { Entry } from '../entry.ts'

const server = testServer()

test('news of a node of the version before is taken without a look at the database', async () => {
  const { log, id, state } = await server.organization()
  const databases = Databases.connect({ databaseUrl: server.databaseUrl }, 2)
  const other = await anotherLog(databases, id)
  const { position, stamp, epoch } = other.state
  const heard: Entry[] = []
  log.listen((entries) => heard.push(...entries))
  await log.commit((change) => change.update('realm', { id: state.row.id, name: 'Renamed' }))
  await databases.close()
  await other.applyNews(() => [{ after: { id: position, stamp }, epoch, lastMessageId: 0, entries: heard }])
  expect(other.state.row.name).toBe('Renamed')
})
