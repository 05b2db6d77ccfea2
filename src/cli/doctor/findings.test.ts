import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { newDirectory } from '../../../test/command-line.ts'
import { collect, respondingServer } from '../../../test/findings.ts'
import { expiredServer, serverWithCertificate } from '../../../test/programs/expired-server.ts'
import { testServer } from '../../../test/test-server.ts'
import { readConfig } from '../../config/config.ts'
import { checkBackup } from './backup.ts'
import { checkCertificate } from './certificate.ts'
import { examine } from './checks.ts'
import { checkClockOutside, checkNewest } from './clock.ts'
import { checkDatabase } from './database.ts'
import { checkJobs } from './jobs.ts'
import { checkLocks } from './locks.ts'
import { checkProgram } from './program.ts'

const all = testServer()

async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: all.databaseUrl })
  await client.connect()
  return work(client).finally(() => client.end())
}

test('backups that are missing, old or damaged are told, and a new one is well', async () => {
  const config = readConfig({ ROOKERY_DATA: await newDirectory() })
  const note = (text: string) => writeFile(join(config.dataDirectory, 'backup.json'), text)
  const of = (finished: number) =>
    JSON.stringify({ finished_at: new Date(finished).toISOString(), kind: 'full' })
  expect(await checkBackup(config)).toMatchObject({ level: 'warn', what: 'no backup has been made' })
  const several = { ...config, databases: new Map() }
  expect(await checkBackup(several)).toMatchObject({
    level: 'ok',
    what: expect.stringMatching(/by their own/),
  })
  await note(of(Date.now() - 3_600_000))
  expect(await checkBackup(config)).toMatchObject({
    level: 'ok',
    what: expect.stringMatching(/^the last backup \(full\) is of 2/),
  })
  await note(of(Date.now() - 5.5 * 86_400_000))
  expect(await checkBackup(config)).toMatchObject({
    level: 'warn',
    what: expect.stringMatching(/, 5 days ago$/),
  })
  await note(of(Date.now() + 30 * 86_400_000))
  expect(await checkBackup(config)).toMatchObject({
    level: 'warn',
    what: expect.stringMatching(/, in the future: a clock was ahead/),
  })
  await note('{"finished_at"')
  expect(await checkBackup(config)).toMatchObject({
    level: 'warn',
    what: expect.stringMatching(/cannot be read: .* is damaged/),
  })
})

test('work that is late or was given up is told with its reason; work that cannot be done here is not', async () => {
  const { id } = await all.organization()
  const insert = (kind: string, due: number, parked: number | null) =>
    withClient((client) =>
      client.query(
        `INSERT INTO job (realm_id, kind, subject_id, due_at, parked_at, error) VALUES ($1, $2, $3, $4, $5, 'It broke.')`,
        [id, kind, due, due, parked],
      ),
    )
  const now = Math.floor(Date.now() / 1000)
  const check = () => withClient((client) => checkJobs(client, readConfig({})))
  expect(await check()).toEqual([{ level: 'ok', what: 'no work in the background is stuck' }])
  await insert('outgoing', now + 60, null)
  await insert('push relay', now - 3_600, null)
  await insert('data_export', now - 8 * 86_400, now - 8 * 86_400)
  expect(await check()).toMatchObject([{ level: 'ok' }])
  await insert('outgoing', now - 7_200, now - 3_600)
  expect(await check()).toMatchObject([
    { level: 'warn', what: 'work of the kind outgoing: 0 late, 1 given up this week: It broke.' },
  ])
  await withClient((client) => client.query('DELETE FROM job WHERE realm_id = $1', [id]))
})

test('a change of a time that has yet to come is told', async () => {
  const { id, owner } = await all.organization()
  await owner.post('/messages', { type: 'direct', to: [owner.id], content: 'hello' })
  const shift = (seconds: number) =>
    withClient((client) =>
      client.query('UPDATE event_log SET created_at = created_at + $1 WHERE realm_id = $2', [seconds, id]),
    )
  expect(await withClient(checkNewest)).toEqual([])
  await shift(7_200)
  expect(await withClient(checkNewest)).toMatchObject([
    {
      level: 'FAIL',
      what: expect.stringMatching(/^the newest change is dated 1(19|20) minutes in the future/),
    },
  ])
  await shift(-7_200)
})

test('the clock is compared with that of a service beyond this machine', async () => {
  const at = async (shift: number) => {
    const url = await respondingServer((_, response) =>
      response.writeHead(204, { date: new Date(Date.now() + shift).toUTCString() }).end(),
    )
    const settings = { ROOKERY_BIGBLUEBUTTON_URL: url, ROOKERY_BIGBLUEBUTTON_SECRET: 'secret' }
    return collect(checkClockOutside(readConfig(settings)))
  }
  expect(await at(0)).toEqual([{ level: 'ok', what: 'the clocks of this machine and of 127.0.0.1 agree' }])
  expect(await at(-30_000)).toMatchObject([{ level: 'warn' }])
  expect(await at(3_600_000)).toMatchObject([
    {
      level: 'FAIL',
      what: expect.stringMatching(
        /^the clocks of this machine and of 127\.0\.0\.1 are 3(599|600) seconds apart$/,
      ),
    },
  ])
  expect(await collect(checkClockOutside(readConfig({})))).toEqual([])
})

describe('the database', () => {
  const check = (client: pg.Client) => checkDatabase(client, readConfig({}))

  test('that takes no changes is told', async () => {
    const found = await withClient(async (client) => {
      await client.query('SET default_transaction_read_only = on')
      return check(client)
    })
    const what = expect.stringMatching(/^the database takes no changes/)
    expect(found).toContainEqual(expect.objectContaining({ level: 'FAIL', what }))
    expect(await withClient(check)).not.toContainEqual(expect.objectContaining({ what }))
  })

  test('that has lost a table is told', async () => {
    const rename = (from: string, to: string) =>
      withClient((client) => client.query(`ALTER TABLE ${from} RENAME TO ${to}`))
    await rename('draft', 'draft_away')
    const found = await withClient(check)
    await rename('draft_away', 'draft')
    const what = 'the database lacks tables that it had: draft'
    expect(found).toContainEqual(expect.objectContaining({ level: 'FAIL', what }))
    expect(await withClient(check)).not.toContainEqual(expect.objectContaining({ what }))
  })

  test('in which another program keeps the server waiting is told', async () => {
    const options = { connectionString: all.databaseUrl }
    const [waiter, holder] = [
      new pg.Client({ ...options, application_name: 'rookery' }),
      new pg.Client({ ...options, application_name: 'psql' }),
    ]
    await Promise.all([waiter.connect(), holder.connect()])
    await holder.query('BEGIN; LOCK TABLE draft')
    const waiting = waiter.query('SELECT FROM draft')
    await expect
      .poll(() => withClient(checkLocks))
      .toMatchObject([{ level: 'FAIL', what: expect.stringMatching(/^a session .* \(psql\) holds$/) }])
    await holder.query('ROLLBACK')
    await waiting
    expect(await withClient(checkLocks)).toEqual([])
    await Promise.all([waiter.end(), holder.end()])
  })
})

test('a certificate that ends soon is told in time', async () => {
  const asn1 = (days: number) =>
    new Date(Date.now() + days * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, '')
  const at = async (days: number, since = -2_000) => {
    const server = await serverWithCertificate(asn1(since), asn1(days))
    return checkCertificate(server.url, server.certificate).finally(server.close)
  }
  expect(await at(90)).toMatchObject({
    level: 'ok',
    what: 'the certificate of 127.0.0.1 is valid for 89 more days',
  })
  expect(await at(5)).toMatchObject({
    level: 'warn',
    what: 'the certificate of 127.0.0.1 is valid for 4 more days',
  })
  // Some authorities give certificates for six days, and proxies of their own for hours.
  expect(await at(4.5, -1.5)).toMatchObject({ level: 'ok' })
  expect(await at(1.5, -4.5)).toMatchObject({ level: 'warn' })
  expect(await at(0.4, -0.1)).toMatchObject({
    level: 'ok',
    what: 'the certificate of 127.0.0.1 is valid for 9 more hours',
  })
  const expired = await expiredServer()
  expect(await checkCertificate(expired.url)).toMatchObject({
    level: 'warn',
    what: expect.stringMatching(/cannot be looked at: ./),
  })
  await expired.close()
})

test('the program can load the libraries that come built for each system', async () => {
  expect(await collect(checkProgram())).toMatchObject([
    { level: 'ok', what: expect.stringMatching(/^Rookery \d.* on Node \d/) },
    { level: 'ok', what: 'the libraries for pictures and passwords can be loaded' },
  ])
})

test('metrics that anyone may read are told', async () => {
  const settings = { ROOKERY_DATA: await newDirectory(), PORT: '0', ROOKERY_METRICS_PORT: '9464' }
  const warning = { level: 'warn', what: 'all who reach 0.0.0.0 port 9464 can read the metrics' }
  const open = { ...settings, ROOKERY_METRICS_HOST: '0.0.0.0' }
  expect(await collect(examine(readConfig(open)))).toContainEqual(expect.objectContaining(warning))
  const closed = { ...open, ROOKERY_METRICS_TOKEN: 'token-of-the-monitor' }
  expect(await collect(examine(readConfig(closed)))).not.toContainEqual(expect.objectContaining(warning))
})
