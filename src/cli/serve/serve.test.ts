import { appendFile, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import {
  metricsToken,
  newDirectory,
  openPolls,
  personOf,
  rookery,
  startServer,
} from '../../../test/command-line.ts'
import { Caller } from '../../../test/person.ts'
import { StartingDatabase } from '../../../test/programs/starting-database.ts'
import { newDatabase } from '../../../test/runner/database.ts'
import { readConfig } from '../../config/config.ts'
import { freePort } from '../../lib/network/free-port.ts'
import { hashKey } from '../../lib/secrets/hash-key.ts'
import { lockDataDirectory } from '../../postgres/data-directory.ts'
import { siteOf } from '../context.ts'
import { firstOrganization } from '../organizations/first-start.ts'
import { secretsOf } from '../secret.ts'

test('a server whose database was elsewhere does not begin with one of its own, unless that is meant', async () => {
  const database = await newDatabase()
  const directory = await newDirectory()
  const first = await startServer({ ROOKERY_DATA: directory, DATABASE_URL: database.url })
  expect(await first.stop('SIGTERM')).toBe(0)
  const { host, password } = new pg.Client({ connectionString: database.url })
  const refused = await rookery('serve', { ROOKERY_DATA: directory })
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.stderr).toBe(
    `DATABASE_URL is not set, but the last server in ${directory} used the database ${database.name} at ${host}: set it again, or delete ${join(directory, 'settings.json')} if this server is to have a database of its own.\n`,
  )
  expect(await readdir(directory)).not.toContain('postgres')
  expect(refused.stderr).not.toContain(password)
  const again = await startServer({ ROOKERY_DATA: directory, DATABASE_URL: database.url })
  expect(await again.stop('SIGTERM')).toBe(0)
  await rm(join(directory, 'settings.json'))
  const own = await startServer({ ROOKERY_DATA: directory })
  expect(own.stdout).toContain('Rookery serves the new organization')
  expect(await own.stop('SIGTERM')).toBe(0)
})

test('a start warns of user groups that are to follow others and are not there', async () => {
  const database = await newDatabase()
  const server = await startServer({
    ROOKERY_DATA: await newDirectory(),
    DATABASE_URL: database.url,
    ROOKERY_OIDC_ISSUER: 'http://127.0.0.1:1',
    ROOKERY_OIDC_CLIENT_ID: 'chat',
    ROOKERY_SIGN_ON_GROUPS: 'ops=operators',
  })
  const warning = 'ROOKERY_SIGN_ON_GROUPS names the user group operators, which is not in Rookery. '
  await expect
    .poll(() => server.logged)
    .toContainEqual(expect.objectContaining({ level: 40, msg: expect.stringContaining(warning) }))
  expect(await server.stop('SIGTERM')).toBe(0)
  await database.drop()
})

test('with a PostgreSQL of its own: first start, commands beside and without it, a stop in good order, second start', {
  timeout: 240_000,
}, async () => {
  const directory = await newDirectory()
  const settings = { ROOKERY_DATA: directory, ROOKERY_METRICS_TOKEN: metricsToken }
  const first = await startServer({ ...settings, ROOKERY_ORGANIZATION: 'Böhm' })
  expect(first.stdout).toContain('Rookery serves the new organization Böhm.')
  expect(first.stdout).toMatch(/\n\n {2}address {3}http:\/\/localhost:\d+\n {2}email {5}owner@example\.com\n/)
  const shown = join(directory, 'owner-link')
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')
  const said = first.stdout
    .replaceAll(directory, '…/data')
    .replace('Böhm', 'Rookery')
    .replace(/localhost:\d+/, 'localhost:9990')
  expect(readme).toContain(said.trim().replace(/^(?=.)/gm, '    '))
  expect(first.stdout).toContain(`\n  password  is chosen with the link in ${shown}\n`)
  for (const name of ['zuliprc', 'owner-link', 'settings.json']) {
    expect((await stat(join(directory, name))).mode & 0o777, name).toBe(0o600)
  }
  const owner = await personOf(first, await readFile(join(directory, 'zuliprc'), 'utf8'))
  const link = (await readFile(shown, 'utf8')).trim()
  expect(link).toMatch(/^http:\/\/localhost:\d+\/accounts\/password\/reset\/first-[a-z2-7]{24}$/)
  expect(first.stdout).not.toContain(link.split('/').at(-1))
  expect(await (await fetch(link)).text()).toContain('New password for owner@example.com')
  expect((await stat(shown)).isFile()).toBe(true)
  const password = 'a way in of their own'
  const choose = () => fetch(link, { method: 'POST', body: new URLSearchParams({ password }) })
  expect((await choose()).status).toBe(200)
  expect((await choose()).status).toBe(400)
  const login = { username: 'owner@example.com', password }
  expect((await new Caller(owner.place).post('/fetch_api_key', login)).status).toBe(200)
  await vi.waitFor(async () => expect(await readdir(directory)).not.toContain('owner-link'), patience)

  const second = await rookery('serve', { ROOKERY_DATA: directory })
  expect(second.status).toBe(1)
  expect(second.stderr).toMatch(/^The data directory .* is in use by process \d+\.\n$/)
  expect((await first.rookery('user create ada@example.com', '--name', 'Ada')).status).toBe(0)

  const { queueId, state } = await owner.register({ event_types: ['presence'] })
  const poll = owner.get('/events', { queue_id: queueId, last_event_id: state.last_event_id })
  await expect.poll(() => openPolls(owner)).toBe(1)
  expect(await first.stop('SIGTERM')).toBe(0)
  expect(await poll).toMatchObject({ status: 200, body: { result: 'success' } })

  const alone = await first.rookery('user list')
  expect(alone).toMatchObject({ status: 0, stderr: '' })
  expect(alone.stdout).toContain('ada@example.com')
  const again = await startServer({ ROOKERY_DATA: directory })
  expect(again.stdout).toMatch(
    /^Rookery serves Böhm at http:\/\/localhost:\d+, with the data of earlier starts\.$/m,
  )
  expect((await owner.at({ port: again.port, host: 'localhost' }).get('/users/me')).body.user_id).toBe(
    owner.id,
  )
})

test('a server waits for a command that has its data directory, and can be stopped meanwhile', async () => {
  const database = await newDatabase()
  const directory = await newDirectory()
  const settings = { ROOKERY_DATA: directory, DATABASE_URL: database.url, ROOKERY_LOG_LEVEL: 'info' }
  const command = await lockDataDirectory(directory)
  const waits = `${directory} is in use by process ${process.pid}. It is a command; the server starts when it has ended.`
  const stopped = rookery('serve', settings)
  await expect.poll(() => stopped.output.stdout).toContain(waits)
  expect(await stopped.kill('SIGTERM')).toMatchObject({ status: 0, stderr: '' })
  const server = rookery('serve', { ...settings, ROOKERY_WORKERS: '2' })
  await expect.poll(() => server.output.stdout).toContain(waits)
  await command.release()
  await expect.poll(() => server.output.stdout, { timeout: 60_000 }).toContain('API key find one')
  expect(await server.kill('SIGTERM')).toMatchObject({ status: 0 })
  await database.drop()
})

test('an LDAP filter that is none stops the start', async () => {
  const { status, stderr } = await rookery('serve', {
    ROOKERY_DATA: await newDirectory(),
    ROOKERY_LDAP_URL: 'ldap://localhost',
    ROOKERY_LDAP_BASE: 'dc=example',
    ROOKERY_LDAP_FILTER: '(uid={username}',
  })
  const reason = 'ROOKERY_LDAP_FILTER is "(uid={username}", but must be an LDAP filter: Unbalanced parens'
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(reason) })
})

test('a wrong setting stops the start with one sentence that names it', async () => {
  const [port, unknown, url] = await Promise.all([
    rookery('serve', { PORT: 'http' }),
    rookery('serve', { ROOKERY_RATE_LIMIT: 'off' }),
    rookery('serve', {
      DATABASE_URL: 'postgres://me:secret@localhost:1/none',
      ROOKERY_DATA: await newDirectory(),
    }),
  ])
  const must = 'PORT is "http", but must be a whole number from 0 to 65535.\n'
  expect(port).toEqual({ status: 1, stdout: '', stderr: must })
  expect(unknown).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('did you mean ROOKERY_RATE_LIMITS?'),
  })
  expect(url).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^The database cannot be reached: .*\.\n$/),
  })
  expect(url.stderr).not.toContain('secret')
})

test('clients are asked to come again while the database starts', { timeout: 240_000 }, async () => {
  const database = await newDatabase()
  const starting = await StartingDatabase.before(database.url)
  const port = await freePort()
  const [directory, place] = [await newDirectory(), { port, host: `localhost:${port}` }]
  const server = startServer({ DATABASE_URL: starting.url, ROOKERY_DATA: directory, PORT: String(port) })
  try {
    const ask = (path: string) => new Caller(place).get(path)
    const early = await vi.waitFor(() => ask('/server_settings'), { timeout: 60_000 })
    expect(early).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      body: { code: 'SERVER_NOT_READY', msg: 'The server is starting. Try again in a moment.' },
    })
    expect((await ask('/nothing_there')).status).toBe(503)
    expect((await fetch(`http://localhost:${port}/login`)).status).toBe(503)
    starting.finish()
    await server
    expect((await ask('/server_settings')).status).toBe(200)
  } finally {
    starting.close()
    await (await server).stop('SIGTERM')
    await database.drop()
  }
})

test('what the owner logs in with is written before there is an organization', async () => {
  const database = await newDatabase()
  const directory = await newDirectory()
  const config = readConfig({ DATABASE_URL: database.url, ROOKERY_DATA: directory })
  const site = siteOf(config, await secretsOf(config))
  const locker = new pg.Client({ connectionString: database.url })
  await locker.connect()
  try {
    await locker.query('BEGIN; LOCK TABLE realm IN SHARE MODE')
    const making = firstOrganization(database.url, config, site)
    await expect.poll(() => readdir(directory)).toEqual(expect.arrayContaining(ownersFiles))
    await locker.query('ROLLBACK')
    expect(await making).toMatchObject({ name: 'Rookery', isNew: true })
    const shown = await readFile(join(directory, 'owner-link'), 'utf8')
    const { rows } = await locker.query('SELECT hash FROM mail_link')
    expect(rows).toEqual([{ hash: hashKey(shown.trim().split('/').at(-1)!) }])
    const [, key] = /key=(\S+)/.exec(await readFile(join(directory, 'zuliprc'), 'utf8'))!
    expect((await locker.query('SELECT hash FROM api_key')).rows).toEqual([{ hash: hashKey(key!) }])

    // An organization that was renamed is not made again, and the files stay.
    await locker.query("UPDATE realm SET subdomain = 'renamed'")
    expect(await firstOrganization(database.url, config, site)).toMatchObject({
      name: 'Rookery',
      isNew: false,
    })
    expect(await readFile(join(directory, 'owner-link'), 'utf8')).toBe(shown)

    // With a public address that was set later, the key is for it. What the owner has added stays.
    const added = '\n[other]\nsite=http://localhost:1234\n'
    const file = join(directory, 'zuliprc')
    await appendFile(file, added)
    const written = await readFile(file, 'utf8')
    expect(written).toContain(`site=${site.publicUrl.origin}\n`)
    const moved = { ...site, publicUrl: new URL('https://chat.example.org') }
    await firstOrganization(database.url, config, moved)
    const updated = await readFile(file, 'utf8')
    expect(updated).toBe(written.replace(site.publicUrl.origin, 'https://chat.example.org'))
    expect(updated).toContain(added)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await rm(file)
    await firstOrganization(database.url, config, site)
    expect(await readdir(directory)).not.toContain('zuliprc')
  } finally {
    await locker.end()
    await database.drop()
  }
})

/** On a busy machine. */
const patience = { timeout: 20_000 }

const ownersFiles = ['owner-link', 'zuliprc']
