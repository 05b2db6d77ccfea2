import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { newDirectory } from '../../../test/command-line.ts'
import { newDatabase } from '../../../test/runner/database.ts'
import { atEndOfFile } from '../../../test/runner/end-of-file.ts'
import { freePort } from '../../lib/network/free-port.ts'

test('a server goes on, and stops in order, while its log can be written nowhere', async () => {
  const database = await newDatabase()
  atEndOfFile(() => database.drop())
  const [directory, port] = [await newDirectory(), await freePort()]
  const { PATH } = process.env
  const server = spawn(process.execPath, [inject('program'), 'serve'], {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'ignore'],
    env: {
      PATH,
      ROOKERY_DATA: directory,
      PORT: String(port),
      DATABASE_URL: database.url,
      ROOKERY_LOG_LEVEL: 'debug',
    },
  })
  atEndOfFile(() => server.kill('SIGKILL'))
  const ended = new Promise((resolve) => server.once('exit', resolve))
  const ask = async (path: string) => (await fetch(`http://localhost:${port}${path}`)).status
  await expect.poll(() => ask('/health/ready').catch(() => 0), { timeout: 60_000 }).toBe(200)
  for (let i = 0; i < 20; i++) expect(await ask('/api/v1/server_settings')).toBe(200)
  server.kill('SIGTERM')
  expect(await ended).toBe(0)
})
