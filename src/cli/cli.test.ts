import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newDirectory, personOf, runHere, type Server, startServer } from '../../test/command-line.ts'
import { Caller, type Person } from '../../test/person.ts'
import { newDatabase } from '../../test/runner/database.ts'

describe('beside a running server', () => {
  let database: Awaited<ReturnType<typeof newDatabase>>
  let server: Server
  let owner: Person

  beforeAll(async () => {
    database = await newDatabase()
    server = await startServer({ DATABASE_URL: database.url, ROOKERY_DATA: await newDirectory() })
    owner = await personOf(server, await readFile(join(server.directory, 'zuliprc'), 'utf8'))
  })

  afterAll(async () => {
    await server?.stop('SIGTERM')
    await database?.drop()
  })

  test('realm create makes an organization that is served immediately', async () => {
    const made = await server.rookery('realm create sales --email boss@example.org', '--name', 'Sales & Co')
    expect(made.status).toBe(0)
    expect(made.stdout).toContain(
      `address   http://sales.localhost:${server.port}\n  email     boss@example.org`,
    )
    const password = /password {2}(\S{16})\n/.exec(made.stdout)![1]
    const boss = await personOf(server, made.stdout)
    const { state } = await boss.register()
    expect(state).toMatchObject({ realm_name: 'Sales & Co', is_owner: true, user_id: boss.id })
    const login = { username: 'boss@example.org', password }
    expect((await new Caller(boss.place).post('/fetch_api_key', login)).status).toBe(200)
    expect((await new Caller(owner.place).post('/fetch_api_key', login)).status).toBe(401)

    const person = { email: 'new@example.org', password: 'correct horse', full_name: 'New' }
    const created = await boss.post('/users', person)
    expect(created.status).toBe(200)
    const renamed = () => boss.patch(`/users/${created.body.user_id}`, { new_email: 'newer@example.org' })
    expect((await renamed()).status).toBe(400)
    await runBeside(server, 'user permission boss@example.org --realm sales --grant change-emails')
    await expect.poll(async () => (await renamed()).status).toBe(200)

    expect((await runBeside(server, 'realm list')).stdout).toMatch(
      /^sales +http:\/\/sales\.localhost:\d+ +Sales & Co/m,
    )
    const again = await runBeside(server, 'realm create sales')
    expect(again).toMatchObject({
      status: 1,
      stderr: 'There is an organization sales already: Sales & Co. Choose another name.\n',
    })
  })

  test('an organization that its owner has closed is opened again', async () => {
    const made = await server.rookery('realm create closing --email boss@example.org')
    const boss = await personOf(server, made.stdout)
    expect(await server.rookery('realm reactivate --realm closing')).toMatchObject({
      status: 1,
      stderr: 'closing is not deactivated.\n',
    })
    expect((await boss.post('/realm/deactivate')).status).toBe(200)
    expect((await boss.get('/users/me')).status).toBe(401)
    expect(await server.rookery('realm reactivate --realm closing')).toMatchObject({ status: 0 })
    await soon(async () => expect((await boss.get('/users/me')).status).toBe(200))
  })

  test('user create and user role are heard of within a second', async () => {
    const client = await owner.register({ event_types: ['realm_user'] })
    const added = client.next()
    const made = await server.rookery('user create ada@example.com --role moderator', '--name', 'Ada')
    expect(made).toMatchObject({ status: 0, stderr: '' })
    const id = Number(/with the id (\d+)/.exec(made.stdout)![1])
    expect(await within(1_000, added)).toMatchObject([
      { op: 'add', person: { user_id: id, full_name: 'Ada', role: 300, delivery_email: 'ada@example.com' } },
    ])

    const changed = client.next()
    expect(await server.rookery('user role ada@example.com guest')).toMatchObject({ status: 0 })
    expect(await within(1_000, changed)).toMatchObject([{ op: 'update', person: { user_id: id, role: 600 } }])

    const last = await runBeside(server, 'user role owner@example.com member')
    expect(last.status).toBe(1)
    expect(last.stderr).toMatch(/only organization owner/)
    expect((await runBeside(server, 'user list')).stdout).toMatch(/ada@example\.com +Ada +guest +active$/m)
  })

  test('a password is read from standard input or generated, and never an argument', async () => {
    const login = async (password: string) => {
      const body = { username: 'bob@example.com', password }
      return (await new Caller(owner.place).post('/fetch_api_key', body)).status
    }
    const named = ['--name', 'Bob', '--password']
    const shown = await server.rookery('user create bob@example.com', ...named, 'sesame open')
    expect(shown).toMatchObject({ status: 2 })
    expect(shown.stderr).toMatch(/^A password is not taken from the command line/)
    const typed = await server.rookery('user create bob@example.com', ...named, '-').type('sesame open\n')
    expect(typed.status).toBe(0)
    expect(typed.stdout).not.toContain('sesame')
    expect(await login('sesame open')).toBe(200)
    const changed = await server.rookery('user password bob@example.com')
    expect(await login('sesame open')).toBe(401)
    expect(await login(/not shown again: (\S+)/.exec(changed.stdout)![1]!)).toBe(200)
    const weak = await server.rookery('user password bob@example.com --password -').type('aaaaaaaa\n')
    expect(weak).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^The password is too weak\. Give a longer one, .* --password generated\.\n$/,
      ),
    })
  })

  test('a key is made, exempted from limits, listed and revoked, each with immediate effect', async () => {
    const made = await server.rookery('key create OWNER@example.com --client bridge')
    const bridge = await personOf(server, made.stdout)
    expect(bridge.id).toBe(owner.id)
    expect((await bridge.get('/users/me')).headers['x-ratelimit-limit']).toBe('200')
    const list = await runBeside(server, 'key list owner@example.com')
    expect(list.stdout).not.toContain(bridge.key)
    const id = /^(\d+) .* bridge .* limited$/m.exec(list.stdout)![1]

    expect(await server.rookery(`key exempt ${id} on`)).toMatchObject({ status: 0 })
    await soon(async () => {
      expect((await bridge.get('/users/me')).headers['x-ratelimit-limit']).toBeUndefined()
    })
    expect(await server.rookery(`key revoke ${id}`)).toMatchObject({ status: 0 })
    await soon(async () => expect((await bridge.get('/users/me')).status).toBe(401))
    expect((await owner.get('/users/me')).status).toBe(200)
    expect(await runBeside(server, `key revoke ${id}`)).toMatchObject({ status: 1 })
  })

  test('a key is looked for in one organization only', async () => {
    const made = await server.rookery('realm create keys --email boss@example.org')
    const boss = await personOf(server, made.stdout)
    const id = /^(\d+) /m.exec((await server.rookery('key list --realm keys')).stdout)![1]
    expect(await server.rookery(`key revoke ${id}`)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^There is no key \d+ in Rookery;/),
    })
    expect((await boss.get('/users/me')).status).toBe(200)
    expect((await server.rookery(`key revoke ${id} --realm keys`)).stdout).toMatch(
      /boss@example\.org in keys/,
    )
    await soon(async () => expect((await boss.get('/users/me')).status).toBe(401))
  })

  test('doctor finds what works and what does not', async () => {
    const { status, stdout } = await server.rookery('doctor')
    expect(stdout).toContain(`ok    the server answers at http://localhost:${server.port}\n`)
    expect(stdout).toMatch(/^ok {4}the data directory .* in use by a server$/m)
    expect(stdout).toMatch(/^ok {4}the database is up to date$/m)
    // The test's PostgreSQL does not wait for the disk, which is exactly the finding.
    expect(stdout).toMatch(/^FAIL {2}messages that were acknowledged can be lost: fsync/m)
    expect(status).toBe(1)
  })
})

test.each([
  [2, 'serve --port 80', 'There is no option --port for rookery serve; it has --workers.'],
  [2, '--port 80', 'There is no option --port; rookery help lists the commands.'],
  [2, 'start', 'There is no command start; rookery help lists those that there are.'],
  [2, 'relam list', 'There is no command relam; did you mean realm?'],
  [2, 'user creat', 'There is no command user creat; did you mean create?'],
  [2, 'user x', 'There is no command user x; there is user create, password, role,'],
  [
    2,
    'user create a@example.com --nam Ada',
    'There is no option --nam for rookery user create; did you mean',
  ],
  [2, 'user', 'Which rookery user command: create, password, role, permission, unlink, list, deactivate,'],
  [2, 'user role ada@example.com king', 'There is no role king; there are owner, administrator,'],
  [2, 'key revoke', 'rookery key revoke needs ID; see rookery key revoke --help.'],
  [2, 'realm create Sales', "Sales cannot be an organization's NAME:"],
  [
    1,
    'user list',
    'There is no database in /nowhere yet: the first start of the server makes it. If the server has its data elsewhere, name that directory with --data.',
  ],
])('status %i: rookery %s', async (status, words, said) => {
  const answer = await runHere(words, { ROOKERY_DATA: '/nowhere' })
  expect(answer).toMatchObject({ status, stdout: '' })
  expect(answer.stderr.startsWith(said), answer.stderr).toBe(true)
  expect(answer.stderr.split('\n')).toHaveLength(2)
})

test('help lists the commands, and tells what each takes', async () => {
  const all = await runHere('help')
  const one = await runHere('user create --help')
  const group = await runHere('help key')
  for (const name of ['serve', 'realm create NAME', 'key exempt ID on|off', 'doctor'])
    expect(all.stdout).toContain(name)
  expect(one.stdout).toMatch(/^Usage: rookery user create EMAIL/)
  expect(one.stdout).toContain('--role ROLE')
  expect(group.stdout).toContain('key revoke ID')
  expect(group.stdout).not.toContain('user create')
  expect(await runHere('help user creat')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('did you mean create?'),
  })
})

/** A command beside a server like any other, but in this process, which is quicker. */
function runBeside(server: Server, words: string) {
  return runHere(words, server.environment)
}

function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  const late = sleep(milliseconds, undefined, { ref: false }).then(() => {
    throw new Error(`nothing within ${milliseconds} ms`)
  })
  return Promise.race([promise, late])
}

/** Tries again for up to a second. */
async function soon(check: () => Promise<void>) {
  const end = performance.now() + 1_000
  while (performance.now() < end) {
    try {
      return await check()
    } catch {
      await sleep(20)
    }
  }
  await check()
}
