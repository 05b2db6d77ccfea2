import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { newDirectory, rookery, runHere, startServer } from '../../test/command-line.ts'
import { postmasterOf } from '../../test/processes/server-process.ts'
import { newDatabase } from '../../test/runner/database.ts'
import { processStart, signal } from '../postgres/processes.ts'

const patience = { timeout: 20_000 }

test('a server stops in order, with its PostgreSQL, when its terminal closes', async () => {
  const directory = await newDirectory()
  const server = await startServer({ ROOKERY_DATA: directory, ROOKERY_LOG_LEVEL: 'info' })
  const postmaster = postmasterOf(directory)
  // The shell of the terminal sends one of its own.
  const stopping = server.stop('SIGHUP')
  server.signal('SIGHUP')
  expect(await stopping).toBe(0)
  expect(server.logged).toContainEqual(expect.objectContaining({ msg: 'stopping on SIGHUP' }))
  expect(processStart(postmaster)).toBeUndefined()
})

test('a command that a signal ends leaves neither a PostgreSQL nor temporary files', async () => {
  const [directory, folder] = [await newDirectory(), await newDirectory()]
  await (await startServer({ ROOKERY_DATA: directory })).stop('SIGTERM')
  expect(await runHere(`backup ${folder} --data ${directory}`)).toMatchObject({ status: 0, stderr: '' })
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const TMPDIR = join(await newDirectory(), 'tmp')
    await mkdir(TMPDIR)
    const verify = rookery(`backup verify ${folder} --data ${directory}`, { TMPDIR })
    const [postmaster, cluster] = await vi.waitFor(async () => {
      const made = (await readdir(TMPDIR)).find((one) => one.startsWith('rookery-verify-'))
      const folder = join(TMPDIR, made ?? '', 'restoring/postgres')
      return [Number.parseInt(await readFile(join(folder, 'postmaster.pid'), 'utf8'), 10), folder] as const
    }, patience)
    // So that the command is not done before.
    signal(postmaster, 'SIGSTOP')
    // As processes of PostgreSQL do until they notice; it ends with the directory.
    spawn('sh', ['-c', 'while : > "$0/$((n += 1))" && [ $n -lt 9999 ]; do sleep 0.001; done', cluster])
    await verify.kill(name)
    expect((await readdir(TMPDIR)).filter((one) => one.startsWith('rookery-verify-'))).toEqual([])
    signal(postmaster, 'SIGCONT')
    await expect.poll(() => processStart(postmaster), patience).toBeUndefined()
  }
})

test('an export that a signal ends leaves no half of a file', async () => {
  const [database, folder] = [await newDatabase(), await newDirectory()]
  const server = await startServer({ DATABASE_URL: database.url, ROOKERY_DATA: await newDirectory() })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  // So that the command is not done before.
  await client.query('BEGIN; LOCK TABLE message')
  const exporting = server.rookery(`export ${join(folder, 'whole.tar.gz')}`)
  await vi.waitUntil(async () => (await readdir(folder)).length > 0, patience)
  expect((await exporting.kill('SIGTERM')).status).toBe(143)
  expect(await readdir(folder)).toEqual([])
  await client.end()
  await server.stop('SIGTERM')
  await database.drop()
})
