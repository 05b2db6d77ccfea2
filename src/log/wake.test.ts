import { expect, test, vi } from 'vitest'
import { newDatabase } from '../../test/database.ts'
import { wakeByNotify } from './wake.ts'

test('a node that announces something and closes at once is heard', async () => {
  const database = await newDatabase()
  const heard: string[] = []
  const staying = wakeByNotify(database.url)
  staying.listen((realmId, lastEventId) => heard.push(`${realmId}:${lastEventId}`))
  // It listens when it hears itself.
  await vi.waitFor(() => {
    staying.announce(1, 1)
    expect(heard).toContain('1:1')
  })

  const passing = wakeByNotify(database.url)
  passing.announce(7, 41)
  passing.announce(7, 42)
  passing.announce(8, 3)
  await passing.close()
  await vi.waitFor(() => expect(heard).toEqual(expect.arrayContaining(['7:42', '8:3'])))
  await staying.close()
  await database.drop()
})
