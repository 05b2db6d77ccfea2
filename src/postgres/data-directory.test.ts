import type { ChildProcess } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runScript } from '../../test/processes/script.ts'
import { isCopyOfUsed, lockDataDirectory } from './data-directory.ts'
import { processStart } from './processes.ts'

let directory: string
let children: ChildProcess[]

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rookery-test-'))
  children = []
})

afterEach(async () => {
  vi.unstubAllEnvs()
  for (const child of children) child.kill('SIGKILL')
  await rm(directory, { recursive: true, force: true })
})

test('a directory that another process has is refused with its path and that process, and free after a kill', async () => {
  const child = await holder()
  await expect(lockDataDirectory(directory)).rejects.toThrow(
    `The data directory ${directory} is in use by process ${child.pid}.`,
  )
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
  const lock = await lockDataDirectory(directory)
  expect(await recorded()).toBe(String(process.pid))
  await lock.release()
})

test('one process may take a directory twice, and it is free after the last release', async () => {
  const first = await lockDataDirectory(directory)
  const second = await lockDataDirectory(join(directory, '.'))
  await first.release()
  await first.release()
  expect((await holder('refused')).exitCode).toBe(1)
  await second.release()
  await holder()
})

test('a missing directory is made, for its owner only', async () => {
  const missing = join(directory, 'a', 'b')
  const lock = await lockDataDirectory(missing)
  expect((await stat(missing)).mode & 0o777).toBe(0o700)
  await lock.release()
})

test('a file in place of the directory is told in one sentence', async () => {
  const file = join(directory, 'file')
  await writeFile(file, '')
  await expect(lockDataDirectory(file)).rejects.toThrow(`The data directory ${file} cannot be used: `)
})

test.each([
  ['a dead process', () => '999999999\nlong:ago\n'],
  ['a living process that took over the number', () => `${process.ppid}\nlong:ago\n`],
  ['nobody', () => ''],
  ['a process that was killed while writing', () => `${process.ppid}`],
])('a lock of %s is taken over', async (_, content) => {
  await writeFile(join(directory, 'rookery.lock'), content())
  const lock = await lockDataDirectory(directory)
  expect(await recorded()).toBe(String(process.pid))
  await lock.release()
})

test('where there is no flock, the recorded process and its starting time decide', async () => {
  vi.stubEnv('PATH', '/nonexistent')
  await writeFile(join(directory, 'rookery.lock'), `${process.ppid}\n${processStart(process.ppid)}\n`)
  await expect(lockDataDirectory(directory)).rejects.toThrow(`is in use by process ${process.ppid}.`)
  await writeFile(join(directory, 'rookery.lock'), `${process.ppid}\nlong:ago\n`)
  await (await lockDataDirectory(directory)).release()
})

test('the copy of a directory that another process has is free', async () => {
  await holder()
  const copy = join(directory, 'copy')
  await mkdir(copy)
  await copyFile(join(directory, 'rookery.lock'), join(copy, 'rookery.lock'))
  expect([isCopyOfUsed(directory), isCopyOfUsed(copy)]).toEqual([false, true])
  await (await lockDataDirectory(copy)).release()
  await expect(lockDataDirectory(directory)).rejects.toThrow('is in use by process')
})

/** Another process that takes the directory; resolves when it has it, or when it was refused. */
async function holder(expected: 'holds' | 'refused' = 'holds'): Promise<ChildProcess> {
  const code = `
    import { lockDataDirectory } from './src/postgres/data-directory.ts'
    await lockDataDirectory(${JSON.stringify(directory)})
    console.log('holds')
    setInterval(() => {}, 1000)`
  const child = await runScript(code, { stdio: ['pipe', 'pipe', 'ignore'] })
  children.push(child)
  const outcome = await new Promise((resolve) => {
    child.stdout!.once('data', () => resolve('holds'))
    child.once('exit', () => resolve('refused'))
  })
  expect(outcome).toBe(expected)
  return child
}

async function recorded(): Promise<string | undefined> {
  return (await readFile(join(directory, 'rookery.lock'), 'utf8')).split('\n')[0]
}
