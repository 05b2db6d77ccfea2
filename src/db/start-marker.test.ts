import { cp, link, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newDatabase, type TestDatabase } from '../../test/runner/database.ts'
import { remember } from '../../test/time-machine.ts'
import { noteStart } from './start-marker.ts'

let database: TestDatabase
let directory: string

beforeEach(async () => {
  database = await newDatabase()
  directory = await mkdtemp(join(tmpdir(), 'rookery-starts-'))
})

afterEach(async () => {
  await database.drop()
  await rm(directory, { recursive: true, force: true })
})

/** Starts a server; returns whether it finds that an older copy was restored. */
async function starts(isOwn: boolean, where = directory): Promise<boolean> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  return noteStart(client, where, isOwn).finally(() => client.end())
}

const markers = async () => (await readdir(join(directory, 'starts'))).sort()

describe.each([
  ['a database of its own', true],
  ['a database elsewhere', false],
])('with %s', (_, isOwn) => {
  test('each start goes on from the last one', async () => {
    for (let i = 0; i < 4; i++) expect(await starts(isOwn)).toBe(false)
    expect(await markers()).toHaveLength(1)
  })

  test('also if the last one was killed before its marker was there, or before the old one was gone', async () => {
    for (const hasMarker of [false, true]) {
      await starts(isOwn)
      const [old] = await markers()
      // A second name keeps the file as it is.
      await link(join(directory, 'starts', old!), join(directory, 'kept'))
      await starts(isOwn)
      if (!hasMarker) await rm(join(directory, 'starts', (await markers())[0]!))
      await rename(join(directory, 'kept'), join(directory, 'starts', old!))
      expect(await starts(isOwn)).toBe(false)
      expect(await markers()).toHaveLength(1)
    }
  })

  test('an older database beside a newer directory is found out', async () => {
    await starts(isOwn)
    const { goBack } = await remember(database.url)
    await starts(isOwn)
    await starts(isOwn)
    await goBack()
    expect(await starts(isOwn)).toBe(true)
    expect(await starts(isOwn)).toBe(false)
  })
})

describe('with a database of its own', () => {
  test('an older copy of the whole directory is found out', async () => {
    await starts(true)
    const copy = await mkdtemp(join(tmpdir(), 'rookery-starts-'))
    await cp(directory, copy, { recursive: true, preserveTimestamps: true })
    const { goBack } = await remember(database.url)
    await starts(true)
    await rm(directory, { recursive: true })
    await cp(copy, directory, { recursive: true, preserveTimestamps: true })
    await goBack()
    expect(await starts(true)).toBe(true)
    await rm(copy, { recursive: true })
  })

  test('one that is put over what is there, too', async () => {
    await starts(true)
    const copy = await mkdtemp(join(tmpdir(), 'rookery-starts-'))
    await cp(directory, copy, { recursive: true, preserveTimestamps: true })
    const { goBack } = await remember(database.url)
    await starts(true)
    await cp(copy, directory, { recursive: true, preserveTimestamps: true })
    await goBack()
    expect(await starts(true)).toBe(true)
    await rm(copy, { recursive: true })
  })

  test('a directory without what it should have is found out, and a damaged one', async () => {
    await starts(true)
    await rm(join(directory, 'starts'), { recursive: true })
    expect(await starts(true)).toBe(true)
    const [marker] = await markers()
    await writeFile(join(directory, 'starts', marker!), '')
    expect(await starts(true)).toBe(true)
    expect(await starts(true)).toBe(false)
  })
})

test('with a database elsewhere, new servers and copied directories say nothing of it', async () => {
  await starts(false)
  const other = await mkdtemp(join(tmpdir(), 'rookery-starts-'))
  expect(await starts(false, other)).toBe(false)
  expect(await starts(false)).toBe(false)
  await rm(other, { recursive: true })
})

test('servers whose directories were copied from one another start in any order', async () => {
  await starts(false)
  const copy = await mkdtemp(join(tmpdir(), 'rookery-starts-'))
  await cp(directory, copy, { recursive: true, preserveTimestamps: true })
  for (const where of [copy, copy, directory, directory, copy, directory]) {
    expect(await starts(false, where)).toBe(false)
  }
  await rm(copy, { recursive: true })
})
