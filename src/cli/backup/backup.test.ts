import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newDirectory, personOf, runHere, type Server, startServer } from '../../../test/command-line.ts'
import { direct } from '../../../test/messages.ts'
import { asBeforeMoves, onDatabase } from '../../../test/on-database.ts'
import type { Person } from '../../../test/person.ts'
import { sendFiles } from '../../../test/pictures.ts'
import { newDatabase } from '../../../test/runner/database.ts'
import { backupLock } from '../../db/backup-lock.ts'
import { segmentAfter } from '../../postgres/wal-segments.ts'

describe('the bundled database', () => {
  let server: Server
  let owner: Person
  let folder: string
  let between: string
  let file: string
  let queueId: string
  const content = Buffer.concat([Buffer.alloc(200_000), Buffer.from('in the middle'), Buffer.alloc(100_000)])

  beforeAll(async () => {
    folder = await newDirectory()
    server = await startServer({ ROOKERY_DATA: await newDirectory(), ROOKERY_ORGANIZATION: 'Nest' })
    owner = await personOf(server, await readFile(join(server.directory, 'zuliprc'), 'utf8'))
    queueId = (await owner.register({ event_types: ['message'] })).queueId
    await direct(owner, [owner], 'in the full one')
    const sent = await sendFiles(owner, 'POST', '/user_uploads', [{ name: 'a.bin', content }])
    file = sent.body.url
    await sendFiles(owner, 'POST', '/user_uploads', [{ name: 'gone.bin', content: Buffer.from('gone') }])
    await backUp('full', `--secrets ${folder}-secrets`)
    await direct(owner, [owner], 'before the time')
    const url = (await readFile(join(server.directory, 'postgres.url'), 'utf8')).trim()
    await asBeforeMoves(url, async () => {
      await sleep(20)
      between = new Date().toISOString()
      await sleep(20)
    })
    await direct(owner, [owner], 'after the time')
    const { body } = await owner.get('/attachments')
    const gone = body.attachments.find(({ name }: { name: string }) => name === 'gone.bin')
    await owner.delete(`/attachments/${gone.id}`)
    await vi.waitUntil(async () => (await storedFiles()) === 1, { timeout: 20_000 })
    await backUp('incremental')
  })

  afterAll(async () => {
    await rm(`${folder}-secrets`, { force: true })
    await server?.stop('SIGTERM')
  })

  async function backUp(kind: string, more = '') {
    const { status, stdout, stderr } = await runHere(`backup ${folder} ${more}`.trim(), server.environment)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^The ${kind} backup \\d{8}T\\d{9}Z was written to `))
  }

  async function storedFiles() {
    const found = await readdir(join(server.directory, 'uploads'), { recursive: true, withFileTypes: true })
    return found.filter((one) => one.isFile()).length
  }

  const here = (words: string) => runHere(words, server.environment)

  async function idOfNewest() {
    return (await readdir(join(folder, 'backups'))).sort().at(-1)!.slice(0, 19)
  }

  /** The direct messages of the owner at another server. */
  async function messagesAt(there: Person): Promise<string[]> {
    const { body } = await there.get('/messages', {
      anchor: 'newest',
      num_before: 50,
      num_after: 0,
      apply_markdown: false,
    })
    return body.messages.map((message: { content: string }) => message.content)
  }

  /** Restores into a new directory, starts a server there, and stops it after the work. */
  async function restored(options: string, work: (there: Person, server: Server) => Promise<void>) {
    const directory = await newDirectory()
    const done = await runHere(`restore ${folder} --data ${directory} ${options}`.trim())
    expect(done).toMatchObject({ status: 0, stderr: '' })
    const second = await startServer({ ROOKERY_DATA: directory })
    await work(owner.at({ port: second.port, host: `localhost:${second.port}` }), second)
    await second.stop('SIGTERM')
  }

  test('a backup tells the server that it is finished, and no other user may read it', async () => {
    const told = JSON.parse(await readFile(join(server.directory, 'backup.json'), 'utf8'))
    expect(told).toEqual({ kind: 'incremental', directory: folder, finished_at: expect.stringMatching(/Z$/) })
    for (const part of ['backups', 'files', 'wal', `bases/${(await readdir(join(folder, 'bases')))[0]}`]) {
      expect((await stat(join(folder, part))).mode & 0o077, part).toBe(0)
    }
    const secret = (await readFile(join(server.directory, 'secret'), 'utf8')).trim()
    expect(await readFile(`${folder}-secrets`, 'utf8')).toBe(`ROOKERY_SECRET="${secret}"\n`)
    const manifest = await readFile(join(folder, 'backups', `${await idOfNewest()}.json`), 'utf8')
    expect(manifest).not.toContain(secret)
    expect(JSON.parse(manifest)).toMatchObject({ settings: { ROOKERY_ORGANIZATION: 'Nest' } })
  })

  test('a restore has everything, ends queues, and brings settings and the secret', async () => {
    await restored(`--secrets ${folder}-secrets`, async (there, second) => {
      expect(await messagesAt(there)).toEqual(['in the full one', 'before the time', 'after the time'])
      const poll = await there.get('/events', { queue_id: queueId, last_event_id: -1, dont_block: true })
      expect(poll.body.code).toBe('BAD_EVENT_QUEUE_ID')
      const [, path] = /(\/user_uploads\/.*)/.exec(file)!
      const { body } = await there.get(path!)
      const got = await fetch(`http://localhost:${second.port}${body.url}`)
      expect(Buffer.from(await got.arrayBuffer()).equals(content)).toBe(true)
      const [old, now] = [server, second].map(({ directory }) => readFile(join(directory, 'secret'), 'utf8'))
      expect(await now).toBe(await old)
      expect(await readFile(join(second.directory, 'rookery.env'), 'utf8')).toContain(
        'ROOKERY_ORGANIZATION="Nest"',
      )
    })
  })

  test('a restore stops at a time between two backups, also if an older version ran then', async () => {
    await restored(`--time ${between}`, async (there, second) => {
      expect(await messagesAt(there)).toEqual(['in the full one', 'before the time'])
      expect((await runHere('files check', second.environment)).stdout).toMatch(/: 2 files, 0 missing/)
    })
    const verified = await here(`backup verify ${folder} --time ${between}`)
    expect(verified).toMatchObject({ status: 0, stderr: '' })
    const late = await here(`restore ${folder} --data ${await newDirectory()} --time 2099-01-01`)
    expect(late.stderr).toMatch(/^No backup covers 2099-01-01T00:00:00\.000Z; they cover /)
  })

  test('verify restores it elsewhere, and finds missing and changed parts', async () => {
    const told = await here(`backup verify ${folder} --json`)
    expect(JSON.parse(told.stdout)).toMatchObject({ result: 'success', faults: [], rows: { realm: 1 } })
    const good = await here(`backup verify ${folder}`)
    expect(good).toMatchObject({ status: 0, stderr: '' })
    expect(good.stdout).toMatch(
      /can be restored: 1 organizations, \d+ accounts,\n\d+ messages, 1 files of 0\.3 MiB/,
    )
    const [segment] = (await readdir(join(folder, 'wal'))).sort().slice(-1)
    const damaged = join(folder, 'wal', segment!)
    const before = await readFile(damaged)
    await appendFile(damaged, 'x')
    const bad = await here(`backup verify ${folder}`)
    expect(bad.status).toBe(1)
    expect(bad.stdout).toContain(
      `FAIL  ${damaged} has ${before.length + 1} bytes, and had ${before.length}.\n`,
    )
    const refused = await here(`restore ${folder} --data ${await newDirectory()}`)
    expect(refused.stderr).toBe(`${damaged} has ${before.length + 1} bytes, and had ${before.length}.\n`)
    await writeFile(damaged, before)
    const list = join(folder, 'backups', `${await idOfNewest()}.files.gz`)
    const listed = await readFile(list)
    await rm(list)
    const lost = await here(`backup verify ${folder}`)
    expect(lost).toMatchObject({ status: 1, stdout: `FAIL  ${list} is missing.\n` })
    const unreadable = await here(`restore ${folder} --data ${await newDirectory()}`)
    expect(unreadable.stderr).toContain(`The list of files ${list} cannot be read: ENOENT`)
    await writeFile(list, listed)
  })

  test('what cannot be done is refused in one sentence', async () => {
    expect((await here(`restore ${folder}`)).stderr).toMatch(/is in use by process|There is a database in/)
    expect((await here(`backup ${server.directory}/backup`)).stderr).toMatch(
      /^The backup would be inside the data/,
    )
    expect((await here(`backup ${server.directory}/..`)).stderr).toMatch(/holds other files than backups/)
    const foreign = await newDirectory()
    await mkdir(join(foreign, 'files'))
    await mkdir(join(foreign, 'backups'))
    await mkdir(join(foreign, 'lost+found'))
    expect((await here(`backup ${foreign} --keep 1`)).stderr).toMatch(/holds other files than backups/)
    expect(await readdir(foreign)).toEqual(['backups', 'files', 'lost+found'])
    expect((await here(`restore ${await newDirectory()}`)).stderr).toMatch(
      /holds no backups: name the directory/,
    )
    expect((await here(`restore ${folder} --backup 1`)).stderr).toMatch(/holds no backup 1; it has 2/)
    expect((await here(`backup ${folder} --keep none`)).status).toBe(2)
    const inside = await here(`backup ${folder} --secrets ${folder}/secrets.env`)
    expect(inside).toMatchObject({ status: 2, stderr: expect.stringMatching(/^--secrets names a file in/) })
  })

  test('a restore names the settings that it does not write', async () => {
    const { settings } = JSON.parse(
      await readFile(join(folder, 'backups', `${await idOfNewest()}.json`), 'utf8'),
    )
    const directory = await newDirectory()
    const own = 'ROOKERY_ORGANIZATION="Own"\n'
    await writeFile(join(directory, 'rookery.env'), own)
    await writeFile(
      `${folder}-secrets-2`,
      'ROOKERY_SMTP_URL="smtp://a:b@c.example"\nROOKERY_S3_SECRET_KEY="s"\n',
    )
    const { stdout } = await runHere(`restore ${folder} --data ${directory} --secrets ${folder}-secrets-2`)
    await rm(`${folder}-secrets-2`)
    const names = [...Object.keys(settings), 'ROOKERY_SMTP_URL'].join(', ')
    expect(stdout).toContain(`stays as it is. It does not have these from the backup: ${names}.\n`)
    expect(stdout).toContain('so these settings were left out: ROOKERY_S3_SECRET_KEY.\n')
    expect(await readFile(join(directory, 'rookery.env'), 'utf8')).toBe(own)
  })

  test('a damaged backup does not hinder others, and no segment that one needs is overwritten', async () => {
    const newest = await idOfNewest()
    const manifest = JSON.parse(await readFile(join(folder, 'backups', `${newest}.json`), 'utf8'))
    const other = '20200101T000000000Z'
    const file = join(folder, 'backups', `${other}.json`)
    const write = (change: object) => writeFile(file, JSON.stringify({ ...manifest, ...change }))
    const using = async () => (await here(`backup verify ${folder} --backup ${other}`)).stderr
    await write({})
    expect(await using()).toBe(`The backup in ${file} cannot be read: it is a copy of ${newest}.\n`)
    const { database } = manifest
    const segment = database.wal.at(-1)
    await write({ id: other, database: { ...database, wal: [{ ...segment, name: '../../secret' }] } })
    expect(await using()).toMatch(/cannot be read: .*Invalid string: must match pattern/)
    expect((await here(`backup verify ${folder}`)).status).toBe(0)
    const next = segmentAfter(segment.name)
    await writeFile(join(folder, 'wal', `${next}.gz`), 'of another copy of the server')
    await write({ id: other, database: { ...database, wal: [...database.wal, { ...segment, name: next }] } })
    const refused = await here(`backup ${folder}`)
    expect(refused.stderr).toMatch(/is of another history of the database, and a backup needs it/)
    await rm(file)
    await backUp('incremental')
    expect((await here(`backup verify ${folder}`)).status).toBe(0)
  })

  test('keep removes older backups, and what no other needs; the next one builds on what is left', async () => {
    // A removal of a file, which takes a moment, does not stop the backup.
    const url = (await readFile(join(server.directory, 'postgres.url'), 'utf8')).trim()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('SELECT pg_advisory_lock_shared($1)', [backupLock])
    const backup = backUp('full', '--full --keep 1')
    const waiting = () =>
      onDatabase(url, "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
    await expect.poll(waiting).toHaveLength(1)
    await client.end()
    await backup
    expect((await readdir(join(folder, 'bases'))).length).toBe(1)
    await direct(owner, [owner], 'at last')
    await backUp('incremental', '--keep 1')
    expect((await readdir(join(folder, 'backups'))).filter((name) => name.endsWith('.json'))).toHaveLength(2)
    await restored('', async (there) => expect((await messagesAt(there)).at(-1)).toBe('at last'))
    const told = await runHere(`backup ${folder} --json`, server.environment)
    expect(JSON.parse(told.stdout)).toMatchObject({
      result: 'success',
      backup: { id: await idOfNewest(), kind: 'incremental', moment: expect.any(String) },
      directory: folder,
      files: { count: 1, new_bytes: 0 },
      removed: 0,
    })
  })
})

test('a second backup at the same time is refused', async () => {
  const database = await newDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('SELECT pg_advisory_lock($1)', [backupLock])
  const environment = { DATABASE_URL: database.url, ROOKERY_DATA: await newDirectory() }
  const { status, stderr } = await runHere(`backup ${await newDirectory()}`, environment)
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^Another backup of this database is/),
  })
  const removing = await runHere('files check --remove-unrecorded', environment)
  expect(removing.stderr).toBe('A backup is under way: try again when it is finished.\n')
  await client.end()
  await database.drop()
})

test('a database elsewhere is dumped by the pg_dump of the machine, and restored into a new one', async () => {
  const [database, empty] = [await newDatabase(), await newDatabase()]
  await onDatabase(empty.url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  const server = await startServer({ DATABASE_URL: database.url, ROOKERY_DATA: await newDirectory() })
  const owner = await personOf(server, await readFile(join(server.directory, 'zuliprc'), 'utf8'))
  await direct(owner, [owner], 'in the dump')
  const folder = await newDirectory()
  const made = await runHere(`backup ${folder}`, server.environment)
  await server.stop('SIGTERM')
  if (made.status !== 0) {
    // There is no test of a dump where there is no pg_dump for it.
    expect(made.stderr).toMatch(
      /^pg_dump is (not on this machine|of PostgreSQL \d+, and the database of \d+): install/,
    )
    return
  }
  expect(made.stdout).toMatch(/^The full backup /)
  const restored = await runHere(`restore ${folder} --data ${await newDirectory()}`, {
    DATABASE_URL: empty.url,
  })
  expect(restored).toMatchObject({ status: 0, stderr: '' })
  expect(restored.stdout).toContain('Its database is the one of DATABASE_URL: the server needs')
  expect(await onDatabase(empty.url, 'SELECT content FROM message')).toEqual([{ content: 'in the dump' }])
  const [before, after] = [database, empty].map(({ url }) => onDatabase(url, 'SELECT epoch FROM realm_head'))
  expect(await after).not.toEqual(await before)
  await database.drop()
  await empty.drop()
})
