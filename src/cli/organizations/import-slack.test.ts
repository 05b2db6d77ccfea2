import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDirectory, rookery, runHere, startServer } from '../../../test/command-line.ts'
import { startImportServer } from '../../../test/imports/import-server.ts'
import { zipOf } from '../../../test/imports/zip.ts'

async function slackExport(): Promise<string> {
  const file = join(await newDirectory(), 'slack.zip')
  const profile = { real_name: 'Ann', email: 'ann@example.com' }
  const content = {
    'users.json': [{ id: 'U1', is_owner: true, profile }],
    'channels.json': [{ id: 'C1', name: 'tea', members: ['U1'] }],
    'tea/2023-11-15.json': [{ type: 'message', user: 'U1', ts: '1700049600.000100', text: 'hello' }],
  }
  await writeFile(file, zipOf(content))
  return file
}

test('an export of Slack becomes an organization beside others, which a running server has immediately', async () => {
  const { server, memberOf } = await startImportServer()
  const file = await slackExport()
  const made = await server.rookery(`import-slack ${file} acme --name`, 'The Acme')
  expect(made).toMatchObject({ status: 0, stderr: '' })
  expect(made.stdout).toContain(
    `The organization The Acme was imported, at http://acme.localhost:${server.port}`,
  )
  expect(made.stdout).toContain('accounts 1, channels 1, messages 1, files 0, avatars 0.')
  expect(made.stdout).toContain('rookery user password ann@example.com --realm acme')

  const ann = await memberOf('acme', 'ann@example.com')
  const { messages } = (await ann.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0 })).body
  expect(messages).toMatchObject([{ content: '<p>hello</p>', display_recipient: 'tea' }])

  const again = await server.rookery(`import-slack ${file} acme`)
  expect(again).toMatchObject({ status: 1, stdout: '' })
  expect(again.stderr).toMatch(/^There is an organization acme already: The Acme\./)
  await server.stop('SIGTERM')
})

test('it becomes the organization of a server that has no database yet', async () => {
  const there = { ROOKERY_DATA: await newDirectory() }
  const made = await rookery(`import-slack ${await slackExport()} - --name Acme`, there)
  expect(made.stdout).toMatch(/^The organization Acme was imported/)
  const server = await startServer(there)
  expect(server.stdout).toContain('Rookery serves Acme at')
  await server.stop('SIGTERM')
})

test('what cannot be imported is refused in one sentence', async () => {
  const there = { ROOKERY_DATA: await newDirectory() }
  const file = join(await newDirectory(), 'slack.zip')
  expect((await runHere(`import-slack ${file} acme`, there)).stderr).toMatch(
    /cannot be read: there is no such file/,
  )
  await writeFile(file, 'no ZIP file, but a text')
  expect((await runHere(`import-slack ${file} acme`, there)).stderr).toMatch(/^This is no ZIP file/)
  expect(await runHere(`import-slack ${file} Not_A_Name`, there)).toMatchObject({ status: 2 })
})
