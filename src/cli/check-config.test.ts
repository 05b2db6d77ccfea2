import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDirectory, runHere } from '../../test/command-line.ts'
import { testServer } from '../../test/test-server.ts'

const here = testServer()

test('check-config names every fault, says where settings come from, and shows no secret', async () => {
  const directory = await newDirectory()
  const file = join(directory, 'rookery.env')
  await writeFile(file, 'ROOKERY_SMTP_URL=smtp://u:hush@mail\nROOKERY_SECRET=hush\nPORT=http\n')
  await chmod(file, 0o644)
  await chmod(directory, 0o755)
  const wrong = await runHere(`check-config --data ${directory}`, { HOST: 'my host' })
  expect(wrong.status).toBe(1)
  expect(wrong.stdout).toMatch(/^PORT +http +\/.*\/rookery\.env$/m)
  expect(wrong.stdout).toMatch(/^HOST +my host +environment$/m)
  expect(wrong.stdout).toMatch(/^ROOKERY_SMTP_URL +smtp:\/\/u:…@mail/m)
  expect(wrong.stderr).toBe('The server would not start: 3 settings are wrong.\n')
  expect(wrong.stdout.split('\n').slice(-5)).toEqual([
    `warn  ${file} holds a secret, and every user of this machine may read it: chmod 640 ${file}.`,
    'FAIL  HOST is "my host", but must be a host name or an IP address.',
    'FAIL  PORT is "http", but must be a whole number from 0 to 65535.',
    'FAIL  ROOKERY_SECRET must be a text of 32 characters or more.',
    '',
  ])
  expect(JSON.stringify(wrong)).not.toContain('hush')
  const together = await runHere('check-config', { ROOKERY_S3_BUCKET: 'files' })
  expect(together.stdout).toMatch(/^FAIL {2}ROOKERY_S3_BUCKET is set, so ROOKERY_S3_ACCESS_KEY must be set/m)
  const right = await runHere('check-config', {
    ROOKERY_DATA: directory,
    PORT: '1',
    ROOKERY_SECRET: 'x'.repeat(32),
  })
  expect(right).toMatchObject({ status: 0 })
})

test('check-config warns of a file with one secret that every user may read', async () => {
  const directory = await newDirectory()
  const file = join(directory, 'secret')
  await writeFile(file, 'x'.repeat(32))
  await chmod(file, 0o644)
  await chmod(directory, 0o755)
  const { stdout } = await runHere('check-config', { ROOKERY_DATA: directory, ROOKERY_SECRET_FILE: file })
  expect(stdout).toContain(`warn  ${file} holds a secret, and every user of this machine may read it`)
  // As compose.yaml says: Docker needs the file to be readable, and the directory keeps others away.
  await chmod(directory, 0o700)
  const apart = await runHere('check-config', { ROOKERY_DATA: directory, ROOKERY_SECRET_FILE: file })
  expect(apart).toMatchObject({ status: 0, stdout: expect.not.stringContaining('warn') })
})

test('a command finds the settings by the directory, in the file of settings before the first start', async () => {
  const directory = await newDirectory()
  await writeFile(join(directory, 'database'), `${here.databaseUrl}\n`)
  await writeFile(join(directory, 'rookery.env'), 'DATABASE_URL_FILE=database\n')
  const listed = await runHere(`realm list --data ${directory}`)
  expect(listed).toMatchObject({ status: 0, stderr: '' })
  // A running server's own settings go before the file, and a named file before those.
  await writeFile(join(directory, 'settings.json'), '{ "PORT": "1" }')
  const nothing = await runHere(`realm list --data ${directory}`)
  expect(nothing.stderr).toMatch(/^There is no database in/)
  const named = await runHere(`realm list --data ${directory} --config ${directory}/rookery.env`)
  expect(named).toMatchObject({ status: 0, stderr: '' })

  // Credentials are gone when the server has stopped; only the database must be known.
  const left = { ROOKERY_SMTP_URL_FILE: '/nonexistent/smtp', DATABASE_URL_FILE: join(directory, 'database') }
  await writeFile(join(directory, 'settings.json'), JSON.stringify(left))
  const without = await runHere(`realm list --data ${directory}`)
  expect(without).toMatchObject({
    status: 0,
    stderr:
      'ROOKERY_SMTP_URL is not known to this command: the file /nonexistent/smtp, which the server read, is gone.\n',
  })
  await writeFile(
    join(directory, 'settings.json'),
    JSON.stringify({ ...left, ROOKERY_SECRET_FILE: '/nonexistent/secret' }),
  )
  expect((await runHere(`realm list --data ${directory}`)).stderr).toMatch(/^ROOKERY_SECRET_FILE is "/)
  await writeFile(join(directory, 'settings.json'), JSON.stringify({ DATABASE_URL_FILE: '/nonexistent/url' }))
  const lost = await runHere(`realm list --data ${directory}`)
  expect(lost.stderr).toMatch(/^DATABASE_URL_FILE is "\/nonexistent\/url", which cannot be read: ENOENT/)
})
