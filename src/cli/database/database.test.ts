import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, inject, test } from 'vitest'
import { newDirectory, runHere } from '../../../test/command-line.ts'
import { onDatabase } from '../../../test/on-database.ts'
import { SmallPooler } from '../../../test/programs/small-pooler.ts'
import { newDatabase } from '../../../test/runner/database.ts'

const cleaning: (() => unknown)[] = []

afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean()
})

test('no command and no server works on a database that a newer version has changed', async () => {
  const { url } = await migrated()
  await onDatabase(url, "INSERT INTO migration VALUES ('9999_of_tomorrow.sql')")
  const newer =
    'The database is newer than this version of Rookery, by 9999_of_tomorrow.sql: start the newer version, or restore a backup from before it.\n'
  for (const words of ['serve', 'user list', 'export /nowhere/file', 'import /dev/null']) {
    expect(await at(url, words), words).toMatchObject({ status: 1, stderr: newer })
  }
  expect((await at(url, 'doctor')).stdout).toContain('FAIL  the database is newer than this version')
})

test('a command that cannot reach the PostgreSQL of a running server says so', async () => {
  const data = await newDirectory()
  await mkdir(join(data, 'postgres'))
  await writeFile(join(data, 'postgres', 'PG_VERSION'), '18\n')
  await writeFile(join(data, 'postgres.url'), 'postgresql://rookery@/postgres?host=/nonexistent\n')
  const file = join(data, 'rookery.lock')
  const holder = spawn('flock', ['-x', file, 'sh', '-c', 'echo held; exec cat'], { stdio: 'pipe' })
  cleaning.push(() => holder.stdin.end())
  await once(holder.stdout, 'data')
  const { status, stderr } = await runHere(`user list --data ${data}`, {})
  expect(status).toBe(1)
  expect(stderr).toMatch(/is in use by another process\. The database cannot be reached: connect ENOENT /)
  expect(stderr).toContain(`Its address is in ${join(data, 'postgres.url')}.`)
})

test('no server begins with an empty database where it had one', async () => {
  const data = await newDirectory()
  const left = join(data, 'settings.json')
  await writeFile(left, '{ "PORT": "1" }')
  const lost = `database in ${join(data, 'postgres')} is lost, which the last server here used`
  const { status, stderr } = await runHere(`serve --data ${data}`, {})
  expect(status).toBe(1)
  expect(stderr).toBe(
    `The ${lost}. Put it back, or restore a backup into an empty directory. To begin with an empty database, delete ${left}.\n`,
  )
  expect((await runHere(`doctor --data ${data}`, {})).stdout).toContain(`FAIL  the ${lost}\n`)
  expect(await readdir(data)).not.toContain('postgres')
})

test('a new database that knows only the letters A to Z is refused, with what to do', async () => {
  const url = await emptyDatabase("LOCALE 'C'")
  const { status, stderr } = await at(url, 'serve')
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /^The database knows only the letters A to Z \(its locale is C\), .*LOCALE 'C\.UTF-8'/,
  )
  expect(await tables(url)).toEqual([])
})

test('a new database with the lower-case letters of Turkish is refused, with what to do', async () => {
  const url = await emptyDatabase("LOCALE_PROVIDER icu ICU_LOCALE 'tr' LOCALE 'C'")
  const { status, stderr } = await at(url, 'serve')
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /^The database has ı as the lower-case letter of I \(its locale is tr\), .*LOCALE 'C\.UTF-8'/,
  )
  expect(await tables(url)).toEqual([])
})

test('a database in another encoding is refused, with what to do', async () => {
  const url = await emptyDatabase("LOCALE 'C' ENCODING 'LATIN1'")
  const { status, stderr } = await at(url, 'serve')
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /^The database is in LATIN1, not in UTF8\. Make it anew: CREATE DATABASE .* ENCODING 'UTF8'/,
  )
})

test('a role that may not make tables is told which right it lacks', async () => {
  const url = await asRole(await emptyDatabase(''))
  const { status, stderr } = await at(url, 'serve')
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /^The role rookery_guest_\d+ may not make tables in the database \w+\. As a superuser, in that database: GRANT USAGE, CREATE ON SCHEMA public TO rookery_guest_\d+;\n$/,
  )
  expect((await at(url, 'doctor')).stdout).toMatch(/^FAIL {2}the role rookery_guest_\d+ may not make tables/m)
})

test('a role that may not use the tables is told whose they are', async () => {
  const url = await asRole((await migrated()).url)
  const said =
    /\d+ tables in the database \w+ belong to rookery, and the role rookery_guest_\d+ may not use them/
  for (const words of ['serve', 'user list', 'import /dev/null', 'doctor']) {
    const { status, stdout, stderr } = await at(url, words)
    expect(status, words).toBe(1)
    expect(stdout + stderr, words).toMatch(said)
  }
})

test('a pooler that shares out sessions is found', async () => {
  const { url } = await migrated()
  const pooler = await SmallPooler.before(url)
  cleaning.push(() => pooler.close())
  for (const words of ['serve', 'user list']) {
    expect(await at(pooler.url, words), words).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^DATABASE_URL leads to a connection pooler that gives each transaction another session\. .*session mode/,
      ),
    })
  }
  expect((await at(pooler.url, 'doctor')).stdout).toContain('FAIL  DATABASE_URL leads to a connection pooler')
  expect((await at(url, 'doctor')).stdout).toContain('ok    no pooler shares out the sessions')
})

async function at(DATABASE_URL: string, words: string) {
  return runHere(words, {
    DATABASE_URL,
    ROOKERY_DATA: await newDirectory(),
    PORT: '0',
    ROOKERY_LOG_LEVEL: 'warn',
  })
}

async function migrated() {
  const database = await newDatabase()
  cleaning.push(() => database.drop())
  return database
}

async function emptyDatabase(options: string): Promise<string> {
  const server = inject('databaseServer')
  const name = `${inject('templateDatabase')}_empty_${process.pid}`
  await onDatabase(server, `CREATE DATABASE ${name} TEMPLATE template0 ${options}`)
  cleaning.push(() => onDatabase(server, `DROP DATABASE ${name} WITH (FORCE)`))
  return server.replace(/^(\w+:\/\/[^/]*)\/[^?]*/, `$1/${name}`)
}

/** Returns the URL of the database for a role without any right of its own. */
async function asRole(url: string): Promise<string> {
  const role = `rookery_guest_${process.pid}`
  const server = inject('databaseServer')
  await onDatabase(server, `CREATE ROLE ${role}`)
  cleaning.unshift(() => onDatabase(server, `DROP ROLE ${role}`))
  return `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(`-c role=${role}`)}`
}

async function tables(url: string) {
  return onDatabase(url, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")
}
