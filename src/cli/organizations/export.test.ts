import { existsSync } from 'node:fs'
import { chown, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  newDirectory,
  personOf,
  rookery,
  runHere,
  type Server,
  startServer,
} from '../../../test/command-line.ts'
import { asBeforeMoves } from '../../../test/on-database.ts'
import { Person } from '../../../test/person.ts'
import { newDatabase } from '../../../test/runner/database.ts'

const nobody = 65_534

describe('export and import', () => {
  let database: Awaited<ReturnType<typeof newDatabase>>
  let server: Server
  let owner: Person
  let directory: string

  beforeAll(async () => {
    database = await newDatabase()
    directory = await newDirectory()
    server = await startServer({ DATABASE_URL: database.url, ROOKERY_DATA: await newDirectory() })
    owner = await personOf(server, await readFile(join(server.directory, 'zuliprc'), 'utf8'))
    await owner.post('/messages', { type: 'channel', to: 'general', topic: 'x', content: 'hello all' })
  })

  afterAll(async () => {
    await server?.stop('SIGTERM')
    await database?.drop()
  })

  const here = (words: string) => runHere(words, server.environment)

  test('copy an organization beside a running server, which serves it immediately', async () => {
    const file = join(directory, 'whole.tar.gz')
    const written = await server.rookery(`export ${file}`)
    expect(written).toMatchObject({ status: 0, stderr: '' })
    expect(written.stdout).toMatch(/^Rookery is in .*whole\.tar\.gz \(0\.0 MiB\)\.$/m)
    expect((await stat(file)).mode & 0o777).toBe(0o600)

    const taken = await server.rookery(`import ${file}`)
    expect(taken).toMatchObject({ status: 1, stdout: '' })
    expect(taken.stderr).toMatch(/^There is an organization - already: Rookery\. .*add --realm NAME/)

    const made = await server.rookery(`import ${file} --realm copy`)
    expect(made).toMatchObject({ status: 0 })
    expect(made.stdout).toContain(`at http://copy.localhost:${server.port}:`)
    const copied = new Person({ ...owner.place, host: `copy.${owner.place.host}` }, owner)
    const { messages } = (await copied.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0 }))
      .body
    expect(messages.map(({ content }: { content: string }) => content)).toContain('<p>hello all</p>')
  })

  test('move to a server that has no database yet', async () => {
    const file = join(directory, 'moved.tar.gz')
    await server.rookery(`export ${file}`)
    const there = { ROOKERY_DATA: await newDirectory() }
    const made = await rookery(`import ${file}`, there)
    expect(made.stdout).toMatch(/^The organization Rookery was imported/)
    const second = await startServer(there)
    expect(second.stdout).toContain('Rookery serves Rookery at')
    const place = { port: second.port, host: `localhost:${second.port}` }
    expect((await new Person(place, owner).get('/users/me')).body.user_id).toBe(owner.id)
    await second.stop('SIGTERM')
  })

  test('an import goes on where one was interrupted while it made the tables', async () => {
    const file = join(directory, 'again.tar.gz')
    await here(`export ${file}`)
    const empty = await newDatabase()
    const there = { DATABASE_URL: empty.url, ROOKERY_DATA: await newDirectory() }
    await asBeforeMoves(empty.url, async () => {
      expect(await runHere(`import ${file}`, there)).toMatchObject({ status: 0 })
      expect((await runHere('realm list', there)).stdout).toContain('Rookery')
    })
    await empty.drop()
  })

  test.skipIf(process.geteuid?.() !== 0)(
    'what root imports belongs to the owner of the directory',
    async () => {
      const file = join(directory, 'by-root.tar.gz')
      await here(`export ${file}`)
      const there = await newDirectory()
      await chown(there, nobody, nobody)
      expect(await runHere(`import ${file}`, { ROOKERY_DATA: there })).toMatchObject({ status: 0 })
      const asRoot = await startServer({ ROOKERY_DATA: there })
      await asRoot.stop('SIGTERM')
      const paths = await readdir(there, { recursive: true })
      expect(paths).toEqual(expect.arrayContaining(['postgres', 'secret', 'settings.json', 'starts']))
      const owners = await Promise.all(paths.map(async (path) => (await stat(join(there, path))).uid))
      expect(new Set(owners)).toEqual(new Set([nobody]))
    },
    60_000,
  )

  test('user export writes the data of one user', async () => {
    const file = join(directory, 'person.tar.gz')
    const written = await here(`user export ${owner.email} ${file}`)
    expect(written.stdout).toContain(`The data of Owner <${owner.email}> are in ${file}`)
    const refused = await here(`import ${file} --realm person`)
    expect(refused).toMatchObject({ status: 1 })
    expect(refused.stderr).toMatch(/^This export has the data of one person/)
    const nobody = await here(`user export nobody@example.com ${file}`)
    expect(nobody.stderr).toBe(
      'There is nobody with the address nobody@example.com in Rookery; rookery user list shows who there is.\n',
    )
  })

  test('say in one sentence what is wrong', async () => {
    const file = join(directory, 'nothing.tar.gz')
    expect(await here(`import ${file}`)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/no such file/),
    })
    expect((await here(`export ${file} --realm none`)).stderr).toMatch(/^There is no organization none/)
    expect((await here('export /no/such/folder/x.tar.gz')).stderr).toMatch(
      /cannot be written: there is no directory \/no\/such\/folder\.\n$/,
    )
    expect(existsSync(file)).toBe(false)
    const named = await here(`import ${file} --realm Not_A_Name`)
    expect(named).toMatchObject({ status: 2 })
  })
})
