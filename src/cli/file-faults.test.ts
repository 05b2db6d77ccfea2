import { spawnSync } from 'node:child_process'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newDirectory, runHere, type Server, settingNames, startServer } from '../../test/command-line.ts'

let server: Server
let folder: string
let file: string

beforeAll(async () => {
  server = await startServer({ ROOKERY_DATA: await newDirectory() })
  folder = await newDirectory()
  file = join(folder, 'a file')
  await writeFile(file, '')
  await mkdir(join(folder, 'backups'))
})

afterAll(() => server?.stop('SIGTERM'))

const here = (...words: string[]) => runHere(words, server.environment)

/** Runs a command that may write no more than these kilobytes into a file, as if the disk were full then. */
function limited(kilobytes: number, ...words: string[]) {
  const others = Object.entries(process.env).filter(([name]) => !settingNames.includes(name))
  const command = [process.execPath, inject('program'), ...words]
  return spawnSync('bash', ['-c', `ulimit -f ${kilobytes}; exec "$@"`, 'bash', ...command], {
    encoding: 'utf8',
    env: { ...Object.fromEntries(others), ...server.environment },
  })
}

test('a command names the file that it cannot write or read, and why', async () => {
  const nowhere = join(folder, 'none/file')
  const missing = `cannot be written: there is no directory ${join(folder, 'none')}.\n`
  for (const words of [
    ['export', nowhere],
    ['user', 'export', 'owner@example.com', nowhere],
    ['backup', join(folder, 'backups'), '--secrets', nowhere],
  ]) {
    expect(await here(...words), words.join(' ')).toEqual({
      status: 1,
      stdout: '',
      stderr: `${nowhere} ${missing}`,
    })
  }
  // Nothing was backed up before the file was found to be missing.
  expect(await readdir(join(folder, 'backups'))).toEqual([])
  const [absent, below] = [join(folder, 'absent'), join(file, 'backups')]
  expect((await here('export', folder)).stderr).toBe(`${folder} cannot be written: it is a directory.\n`)
  expect((await here('backup', below)).stderr).toBe(
    `${below} cannot be written: a file is in the place of a directory.\n`,
  )
  expect((await here('backup', file)).stderr).toBe(`${file} cannot be written: a file is in its place.\n`)
  for (const words of [
    ['import', absent],
    ['user', 'import', absent],
  ]) {
    expect((await here(...words)).stderr).toBe(`${absent} cannot be read: there is no such file.\n`)
  }
  for (const command of [['import'], ['user', 'import']])
    expect((await here(...command, folder)).stderr).toBe(`${folder} cannot be read: it is a directory.\n`)
})

test('a command on a full disk says so, and leaves nothing half written', async () => {
  const backups = join(folder, 'backups')
  const full = (place: string) => `${place} cannot be written: files of this size are not allowed.\n`
  expect(limited(500, 'backup', backups)).toMatchObject({ status: 1, stderr: full(backups) })
  expect(await readdir(join(backups, 'bases'))).toEqual([])
  // A kill leaves the half of a copy.
  await writeFile(join(backups, 'bases/20260101T000000000Z.tar.gz.unfinished'), '')
  expect(await here('backup', backups)).toMatchObject({ status: 0, stderr: '' })
  expect(await readdir(join(backups, 'bases'))).toHaveLength(1)
  // Nor does it matter to the backup that the server cannot be told of it.
  const told = join(server.directory, 'backup.json')
  await rm(told)
  await mkdir(told)
  expect(await here('backup', backups)).toMatchObject({
    status: 0,
    stderr: `rookery doctor does not learn of this backup, as ${told} cannot be written: it is a directory.\n`,
  })
  const directory = join(folder, 'restored')
  const absent = join(folder, 'absent')
  const restore = ['restore', backups, '--data', directory]
  expect((await runHere([...restore, '--secrets', absent])).stderr).toBe(
    `${absent} cannot be read: there is no such file.\n`,
  )
  expect(limited(500, ...restore)).toMatchObject({ status: 1, stderr: full(directory) })
  expect(await readdir(directory)).not.toContain('postgres')
  expect(limited(500, 'backup', 'verify', backups, '--at', folder)).toMatchObject({
    status: 1,
    stderr: full(folder),
  })
  expect((await here('backup', 'verify', backups, '--at', absent)).stderr).toBe(
    `${absent} cannot be written: there is no such directory.\n`,
  )
  expect((await readdir(folder)).filter((name) => name.startsWith('rookery-verify-'))).toEqual([])
  expect(await runHere(restore)).toMatchObject({ status: 0, stderr: '' })
})
