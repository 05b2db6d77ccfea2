import { mkdir, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDirectory } from '../../../test/command-line.ts'
import { withForeignFile } from './file-owners.ts'

const own = userInfo()

test('an error about permissions names a file of another user, and what to do', async () => {
  const directory = await newDirectory()
  await mkdir(join(directory, 'postgres'))
  await writeFile(join(directory, 'postgres', 'PG_VERSION'), '18')
  const error = Object.assign(new Error('EACCES: permission denied, open …'), { code: 'EACCES' })
  const named = await withForeignFile(error, directory, own.uid + 1)
  expect(named).toMatchObject({
    message: `EACCES: permission denied, open …. ${directory} belongs to the user with the number ${own.uid}, and the server runs as ${own.username}. As root, run chown -R ${own.username} ${directory}, or start the server as the user who has the rest.`,
    cause: error,
  })
  expect(await withForeignFile(error, directory, own.uid)).toBe(error)
})

test.runIf(own.uid === 0)('the file may be in a directory of the data directory', async () => {
  const { chown } = await import('node:fs/promises')
  const directory = await newDirectory()
  const file = join(directory, 'postgres', 'global', 'pg_control')
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, '')
  await chown(file, 12_345, 12_345)
  const error = new Error(`PostgreSQL could not start: could not open file "${file}": Permission denied`)
  expect(await withForeignFile(error, directory)).toMatchObject({
    message: expect.stringContaining(`${file} belongs to the user with the number 12345`),
  })
  const other = new Error('The database is newer than this version of Rookery.')
  expect(await withForeignFile(other, directory)).toBe(other)
})
