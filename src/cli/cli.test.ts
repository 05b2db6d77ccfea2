import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newDatabase } from '../../test/database.ts'
import { closeConnections } from '../../test/http.ts'
import { basic, Caller, Person } from '../../test/person.ts'

const directories: string[] = []
const servers: Server[] = []

afterAll(async () => {
  closeConnections()
  await Promise.all(servers.map((server) => server.stop('SIGTERM')))
  await Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true })))
})

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

  test('realm create makes an organization that is served at once', async () => {
    const made = await server.rookery('realm create sales --email boss@example.org', '--name', 'Sales & Co')
    expect(made.status).toBe(0)
    expect(made.stdout).toContain(
      `address   http://sales.localhost:${server.port}\n  e-mail    boss@example.org`,
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
    await server.rookery('user permission boss@example.org --realm sales --grant change-emails')
    expect((await renamed()).status).toBe(200)

    expect((await server.rookery('realm list')).stdout).toMatch(
      /^sales +http:\/\/sales\.localhost:\d+ +Sales & Co/m,
    )
    const again = await server.rookery('realm create sales')
    expect(again).toMatchObject({
      status: 1,
      stderr: 'There is an organization sales already: Sales & Co.\n',
    })
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

    const last = await server.rookery('user role owner@example.com member')
    expect(last.status).toBe(1)
    expect(last.stderr).toMatch(/only organization owner/)
    expect((await server.rookery('user list')).stdout).toMatch(/ada@example\.com +Ada +guest +active$/m)
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
    expect(weak).toMatchObject({ status: 1, stderr: 'The password is too weak.\n' })
  })

  test('a key is made, exempted from limits, listed and revoked, each with effect at once', async () => {
    const made = await server.rookery('key create OWNER@example.com --client bridge')
    const bridge = await personOf(server, made.stdout)
    expect(bridge.id).toBe(owner.id)
    expect((await bridge.get('/users/me')).headers['x-ratelimit-limit']).toBe('200')
    const list = await server.rookery('key list owner@example.com')
    expect(list.stdout).not.toContain(bridge.key)
    const id = /^(\d+) .* bridge .* limited$/m.exec(list.stdout)![1]

    expect(await server.rookery(`key exempt ${id} on`)).toMatchObject({ status: 0 })
    await soon(async () => {
      expect((await bridge.get('/users/me')).headers['x-ratelimit-limit']).toBeUndefined()
    })
    expect(await server.rookery(`key revoke ${id}`)).toMatchObject({ status: 0 })
    await soon(async () => expect((await bridge.get('/users/me')).status).toBe(401))
    expect((await owner.get('/users/me')).status).toBe(200)
    expect(await server.rookery(`key revoke ${id}`)).toMatchObject({ status: 1 })
  })

  test('doctor finds what is well and what is not', async () => {
    const { status, stdout } = await server.rookery('doctor')
    expect(stdout).toContain(`ok    the server answers at http://localhost:${server.port}\n`)
    expect(stdout).toMatch(/^ok {4}the data directory .* in use by a server$/m)
    expect(stdout).toMatch(/^ok {4}the database is up to date$/m)
    // The test's PostgreSQL is told not to wait for the disk, and that is just what is to be found.
    expect(stdout).toMatch(/^FAIL {2}messages that were acknowledged can be lost: fsync/m)
    expect(status).toBe(1)
  })
})

test('with a PostgreSQL of its own: first start, commands beside and without it, a stop in good order, second start', async () => {
  const directory = await newDirectory()
  const first = await startServer({ ROOKERY_DATA: directory, ROOKERY_ORGANIZATION: 'Böhm' })
  expect(first.stdout).toContain('Rookery serves the new organization Böhm.')
  expect(first.stdout).toMatch(
    /\n\n {2}address {3}http:\/\/localhost:\d+\n {2}e-mail {4}owner@example\.com\n/,
  )
  const password = /password {2}(\S{16})\n/.exec(first.stdout)![1]
  const file = join(directory, 'zuliprc')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const owner = await personOf(first, await readFile(file, 'utf8'))
  const login = await new Caller(owner.place).post('/fetch_api_key', { username: owner.email, password })
  expect(login.status).toBe(200)

  const second = await rookery('serve', { ROOKERY_DATA: directory, PORT: '0' })
  expect(second.status).toBe(1)
  expect(second.stderr).toMatch(/^The data directory .* is in use by process \d+\.\n$/)
  expect((await first.rookery('user create ada@example.com', '--name', 'Ada')).status).toBe(0)

  const { queueId, state } = await owner.register({ event_types: ['presence'] })
  const poll = owner.get('/events', { queue_id: queueId, last_event_id: state.last_event_id })
  await sleep(300)
  expect(await first.stop('SIGTERM')).toBe(0)
  expect(await poll).toMatchObject({ status: 200, body: { result: 'success', queue_id: queueId } })

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

test.each([
  [2, 'serve --port 80', 'There is no option --port for rookery serve; it has none.'],
  [2, '--port 80', 'There is no option --port; rookery help lists the commands.'],
  [2, 'start', 'There is no command start; rookery help lists those that there are.'],
  [2, 'user', 'What of rookery user is meant: create, password, role, permission or list?'],
  [2, 'user role ada@example.com king', 'There is no role king; there are owner, administrator,'],
  [2, 'key revoke', 'rookery key revoke needs ID; see rookery key revoke --help.'],
  [2, 'realm create Sales', "Sales cannot be an organization's NAME:"],
  [1, 'user list', 'There is no database in /nowhere yet: the first start of the server makes it.'],
])('status %i: rookery %s', async (status, words, said) => {
  const answer = await rookery(words, { ROOKERY_DATA: '/nowhere' })
  expect(answer).toMatchObject({ status, stdout: '' })
  expect(answer.stderr.startsWith(said), answer.stderr).toBe(true)
  expect(answer.stderr.split('\n')).toHaveLength(2)
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

test('help lists the commands, and tells what each takes', async () => {
  const [all, one, group] = await Promise.all([
    rookery('help'),
    rookery('user create --help'),
    rookery('help key'),
  ])
  for (const name of ['serve', 'realm create NAME', 'key exempt ID on|off', 'doctor'])
    expect(all.stdout).toContain(name)
  expect(one.stdout).toMatch(/^Usage: rookery user create EMAIL/)
  expect(one.stdout).toContain('--role ROLE')
  expect(group.stdout).toContain('key revoke ID')
  expect(group.stdout).not.toContain('user create')
})

type Ended = { status: number | null; stdout: string; stderr: string }

/** A command under way: its end, after what is typed for it, if anything. */
type Running = Promise<Ended> & { type(text: string): Promise<Ended> }

/** The words are split at spaces; what holds spaces itself goes into `more`. */
function rookery(words: string, environment: NodeJS.ProcessEnv = {}, ...more: string[]): Running {
  const { child, output } = launch([...words.split(' '), ...more], environment)
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (status) => resolve({ status, stdout: output.stdout, stderr: output.stderr })),
  )
  return Object.assign(ended, {
    type(text: string) {
      child.stdin!.end(text)
      return ended
    },
  })
}

function launch(words: string[], environment: NodeJS.ProcessEnv) {
  const { DATABASE_URL: _, ...rest } = process.env
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts', ...words], {
    env: { ...rest, ROOKERY_LOG_LEVEL: 'warn', ...environment },
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  return { child, output }
}

/** A server that runs as an admin's does, and the commands with the same settings. */
class Server {
  readonly port: number
  readonly stdout: string
  private readonly environment: NodeJS.ProcessEnv
  private readonly child: ChildProcess

  constructor(child: ChildProcess, stdout: string, environment: NodeJS.ProcessEnv) {
    this.child = child
    this.stdout = stdout
    this.port = Number(/http:\/\/localhost:(\d+)/.exec(stdout)![1])
    this.environment = {
      ...environment,
      ROOKERY_URL: `http://localhost:${this.port}`,
      PORT: String(this.port),
    }
  }

  get directory() {
    return this.environment.ROOKERY_DATA!
  }

  rookery(words: string, ...more: string[]): Running {
    return rookery(words, this.environment, ...more)
  }

  /** Answers its exit status. */
  async stop(signal: NodeJS.Signals): Promise<number | null> {
    if (this.child.exitCode === null) {
      const ended = new Promise((resolve) => this.child.once('close', resolve))
      this.child.kill(signal)
      await ended
    }
    return this.child.exitCode
  }
}

async function startServer(environment: NodeJS.ProcessEnv): Promise<Server> {
  const { child, output } = launch(['serve'], { ...environment, PORT: '0' })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', () => /API key find one|earlier starts/.test(output.stdout) && resolve())
    child.once('close', () => reject(new Error(`The server has ended: ${output.stderr}`)))
  })
  const server = new Server(child, output.stdout, environment)
  servers.push(server)
  return server
}

/** Whoever has the key in a zuliprc, in the organization that it names. */
async function personOf({ port }: Server, text: string): Promise<Person> {
  const [, email, key, site] = /\[api\]\nemail=(.*)\nkey=(.*)\nsite=(.*)\n/.exec(text)!
  const place = { port, host: new URL(site!).host }
  const { body } = await new Caller(place, { authorization: basic(email!, key!) }).get('/users/me')
  return new Person(place, { id: body.user_id, name: body.full_name, email: email!, key: key! })
}

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'rookery-cli-'))
  directories.push(directory)
  return directory
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
