import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newDirectory, personOf, rookery, startServer } from '../../test/command-line.ts'
import { Caller } from '../../test/person.ts'

test('with a PostgreSQL of its own: first start, commands beside and without it, a stop in good order, second start', {
  timeout: 60_000,
}, async () => {
  const directory = await newDirectory()
  const first = await startServer({ ROOKERY_DATA: directory, ROOKERY_ORGANIZATION: 'Böhm' })
  expect(first.stdout).toContain('Rookery serves the new organization Böhm.')
  expect(first.stdout).toMatch(
    /\n\n {2}address {3}http:\/\/localhost:\d+\n {2}e-mail {4}owner@example\.com\n/,
  )
  const password = /password {2}(\S{16})\n/.exec(first.stdout)![1]
  const file = join(directory, 'zuliprc')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const owner = await personOf(first, await readFile(file, 'utf8'))
  const login = await new Caller(owner.place).post('/fetch_api_key', { username: owner.email, password })
  expect(login.status).toBe(200)

  const second = await rookery('serve', { ROOKERY_DATA: directory, PORT: '0' })
  expect(second.status).toBe(1)
  expect(second.stderr).toMatch(/^The data directory .* is in use by process \d+\.\n$/)
  expect((await first.rookery('user create ada@example.com', '--name', 'Ada')).status).toBe(0)

  const { queueId, state } = await owner.register({ event_types: ['presence'] })
  const poll = owner.get('/events', { queue_id: queueId, last_event_id: state.last_event_id })
  await sleep(300)
  expect(await first.stop('SIGTERM')).toBe(0)
  expect(await poll).toMatchObject({ status: 200, body: { result: 'success' } })

  const alone = await first.rookery('user list')
  expect(alone).toMatchObject({ status: 0, stderr: '' })
  expect(alone.stdout).toContain('ada@example.com')
  const again = await startServer({ ROOKERY_DATA: directory })
  expect(again.stdout).toMatch(
    /^Rookery serves Böhm at http:\/\/localhost:\d+, with the data of earlier starts\.$/m,
  )
  expect((await owner.at({ port: again.port, host: 'localhost' }).get('/users/me')).body.user_id).toBe(
    owner.id,
  )
})

test('a wrong setting stops the start with one sentence that names it', async () => {
  const [port, unknown, url] = await Promise.all([
    rookery('serve', { PORT: 'http' }),
    rookery('serve', { ROOKERY_RATE_LIMIT: 'off' }),
    rookery('serve', {
      DATABASE_URL: 'postgres://me:secret@localhost:1/none',
      ROOKERY_DATA: await newDirectory(),
    }),
  ])
  const must = 'PORT is "http", but must be a whole number from 0 to 65535.\n'
  expect(port).toEqual({ status: 1, stdout: '', stderr: must })
  expect(unknown).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('did you mean ROOKERY_RATE_LIMITS?'),
  })
  expect(url).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^The database cannot be reached: .*\.\n$/),
  })
  expect(url.stderr).not.toContain('secret')
})
