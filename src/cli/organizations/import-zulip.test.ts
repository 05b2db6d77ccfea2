import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'
import { newDirectory, rookery, runHere, startServer } from '../../../test/command-line.ts'
import { startImportServer } from '../../../test/imports/import-server.ts'
import {
  ids,
  recipients,
  zulipBasics,
  zulipFiles,
  zulipFlags,
  zulipFolder,
  zulipMessage,
  zulipTar,
} from '../../../test/imports/zulip.ts'
import { newDatabase } from '../../../test/runner/database.ts'
import { atEndOfFile } from '../../../test/runner/end-of-file.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

const content = zulipFiles({
  messages: [
    {
      zerver_message: [zulipMessage(5000, ids.ann, recipients.tea, 'hello')],
      zerver_usermessage: zulipFlags(ids.ann, { 5000: 1 }),
    },
  ],
  files: { 'analytics.json': {}, 'uploads/records.json': [] },
})

test('an export of Zulip becomes an organization beside others, which a running server has immediately', async () => {
  const temporary = await newDirectory()
  const { server, memberOf } = await startImportServer({ TMPDIR: temporary })
  const file = await zulipTar(content)
  const made = await server.rookery(`import-zulip ${file} acme`)
  expect(made).toMatchObject({ status: 0, stderr: '' })
  expect(made.stdout).toContain(`The organization Acme was imported, at http://acme.localhost:${server.port}`)
  expect(made.stdout).toContain('accounts 7, channels 4, messages 1, files 0, avatars 0.')
  expect(made.stdout).toContain('rookery user password ann@example.com --realm acme')
  expect((await readdir(temporary)).filter((name) => name.startsWith('rookery-zulip-'))).toEqual([])

  const ann = await memberOf('acme', 'ann@example.com')
  const { messages } = (await ann.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0 })).body
  expect(messages).toMatchObject([{ id: 5000, content: '<p>hello</p>', sender_id: ids.ann, flags: ['read'] }])

  const again = await server.rookery(`import-zulip ${file} acme`)
  expect(again).toMatchObject({ status: 1, stdout: '' })
  expect(again.stderr).toMatch(/^There is an organization acme already: Acme\./)
  // A second import, in another organization, has the same ids.
  const beside = await server.rookery(`import-zulip ${await zulipFolder(content)} beside --name`, 'The Other')
  expect(beside.stdout).toContain('The organization The Other was imported')
  expect((await server.rookery('realm create third --email o@example.com')).status).toBe(0)
  await server.stop('SIGTERM')
})

test('it becomes the organization of a server that has no database yet', async () => {
  const there = { ROOKERY_DATA: await newDirectory() }
  const made = await rookery(
    `import-zulip ${await zulipFolder({ 'inside/realm.json': zulipBasics })} - --json`,
    there,
  )
  expect(JSON.parse(made.stdout)).toMatchObject({ organization: { name: 'Acme' }, accounts: 7, leftOut: {} })
  const server = await startServer(there)
  expect(server.stdout).toContain('Rookery serves Acme at')
  await server.stop('SIGTERM')
})

test('what cannot be imported is refused in one sentence, and leaves nothing behind', async () => {
  const database = await newDatabase()
  atEndOfFile(() => database.drop())
  const [data, temporary] = [await newDirectory(), await newDirectory()]
  const there = { DATABASE_URL: database.url, ROOKERY_DATA: data }
  vi.stubEnv('TMPDIR', temporary)
  const refused = async (file: string) => {
    const { status, stdout, stderr } = await runHere(`import-zulip ${file} acme`, there)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(await readdir(temporary)).not.toContainEqual(expect.stringMatching(/^rookery-zulip-/))
    return stderr.trim()
  }
  const text = join(await newDirectory(), 'a.txt')
  await writeFile(text, 'no archive, but a text')
  const cut = join(await newDirectory(), 'cut.tar.gz')
  await writeFile(cut, gzipSync('not a tar').subarray(0, 12))
  const linked = await zulipFolder({ other: zulipBasics })
  await symlink(join(linked, 'other'), join(linked, 'realm.json'))
  const folder = await newDirectory()
  await mkdir(join(folder, 'realm.json'))
  const admins = zulipBasics.zerver_userprofile!.map((user) => ({ ...user, role: 400 }))
  const disorder = [5000, 4000].map((id) => ({
    zerver_message: [zulipMessage(id, ids.ann, recipients.secret, 'x')],
  }))
  for (const [file, reason] of [
    [`${text}.not`, /cannot be read: there is no such file\.$/],
    [text, /^This is no export of Zulip: it is neither a \.tar\.gz file nor a folder\.$/],
    [cut, /^The export cannot be read: .*\.$/],
    [await newDirectory(), /^This is no export of Zulip: it has no realm\.json\.$/],
    [linked, /^This is no export of Zulip: it has no realm\.json\.$/],
    [folder, /^This is no export of Zulip: it has no realm\.json\.$/],
    [
      await zulipFolder({ 'realm.json': '{"zerver_realm": [' }),
      /^The export is damaged: realm\.json cannot be read/,
    ],
    [await zulipFolder({ 'realm.json': [] }), /^The export is damaged: realm\.json has no tables\.$/],
    [
      await zulipFolder({ ...content, 'messages-000002.json': '[1' }),
      /damaged: messages-000002\.json cannot be read/,
    ],
    [
      await zulipTar(content, [
        { name: 'zulip-export-x/uploads/a', type: 'symlink', linkname: '/etc/passwd' },
      ]),
      /damaged: .*uploads\/a is not a file but a symlink\.$/,
    ],
    [
      await zulipTar(content, [{ name: '../../evil.json' }]),
      /^The export is damaged: "\.\.\/\.\.\/evil\.json" is outside of it\.$/,
    ],
    [await zulipTar(content, [{ name: 'zulip-export-x/realm.json' }]), /is in it twice/],
    [
      await zulipFolder(zulipFiles({ tables: { zerver_userprofile: admins } })),
      /nobody could administer the organization\.$/,
    ],
    [
      await zulipFolder(zulipFiles({ messages: disorder })),
      /the messages of the channel secret are not in order\.$/,
    ],
  ] as const) {
    expect(await refused(file)).toMatch(reason)
  }
  expect((await runHere('realm list --json', there)).stdout).not.toContain('acme')
  expect(await readdir(join(data, 'uploads')).catch(() => [])).not.toContainEqual(
    expect.stringMatching(/^\d+$/),
  )
  expect((await runHere(`import-zulip ${await zulipFolder(content)} acme`, there)).status).toBe(0)
  expect(await runHere(`import-zulip ${text} Not_A_Name`, there)).toMatchObject({ status: 2 })
  expect(await runHere(`import-zulip ${text} acme --from acme.example.com`, there)).toMatchObject({
    status: 2,
  })
})
