import { existsSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeDirectories } from './make-directories.ts'

async function place() {
  const directory = await mkdtemp(join(tmpdir(), 'rookery-test-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return directory
}

test('makes what is missing, and says which was the first', async () => {
  const at = await place()
  expect(makeDirectories(join(at, 'a', 'b', 'c'), 0o700)).toBe(join(at, 'a'))
  expect(statSync(join(at, 'a', 'b', 'c')).mode & 0o777).toBe(0o700)
  expect(makeDirectories(join(at, 'a', 'b'))).toBeUndefined()
})

test('refuses the place of a file', async () => {
  const at = await place()
  writeFileSync(join(at, 'file'), '')
  expect(() => makeDirectories(join(at, 'file'))).toThrow('EEXIST')
  expect(() => makeDirectories(join(at, 'file', 'below'))).toThrow('ENOTDIR')
})

test.skipIf(!existsSync('/proc/self'))('ends where a file system takes no new names', () => {
  expect(() => makeDirectories('/proc/new/place')).toThrow('ENOENT')
})
