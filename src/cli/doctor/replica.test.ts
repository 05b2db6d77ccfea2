import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { newOrganization } from '../../../test/organization.ts'
import { DatabaseWithStandby } from '../../../test/programs/standby.ts'
import { startNode } from '../../../test/test-server.ts'
import { readConfig } from '../../config/config.ts'
import { checkReplica } from './replica.ts'

let database: DatabaseWithStandby

beforeAll(async () => {
  database = await DatabaseWithStandby.start()
})
afterAll(() => database?.stop())

function examine(replica: string, of = database.url) {
  return checkReplica({ name: 'main', database: of, replica }, readConfig({}))
}

/** Writes something in a database. */
async function writeIn(url: string, name: string) {
  const node = await startNode(url)
  onTestFinished(() => node.close())
  await newOrganization(node, name)
}

test('doctor says how the replica is', async () => {
  expect(await examine(database.standbyUrl)).toMatchObject([
    { level: 'ok', what: 'the replica has all that the database has' },
  ])
  expect(await examine(database.url)).toMatchObject([
    { level: 'FAIL', what: 'the replica is not used: it is not a standby: it takes changes' },
  ])
  expect(await examine('postgres://rookery:secret@127.0.0.1:1/rookery')).toMatchObject([
    { level: 'FAIL', what: expect.stringMatching(/^the replica is not used: .*ECONNREFUSED/) },
  ])
  await database.pause()
  await writeIn(database.url, 'written')
  expect(await examine(database.standbyUrl)).toMatchObject([
    { level: 'warn', what: expect.stringMatching(/^the replica is \d+ KiB behind/) },
  ])
  await database.resume()
  expect(await examine(database.standbyUrl)).toMatchObject([{ level: 'ok' }])
})

test('doctor notices a standby that does not follow the one that took over', async () => {
  const left = await database.takeOver()
  await writeIn(database.standbyUrl, 'later')
  expect(await examine(left, database.standbyUrl)).toMatchObject([
    { level: 'FAIL', what: expect.stringContaining('from before a standby took over') },
  ])
})
