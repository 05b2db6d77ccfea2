import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { atEndOfFile } from './runner/end-of-file.ts'

// What `npm run new` writes, in a copy of the sources.

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
let copy: string

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'rookery-new-'))
  atEndOfFile(() => rm(copy, { recursive: true }))
  const copied = ['src', 'test', 'scripts', 'package.json', 'tsconfig.json', 'biome.json']
  await Promise.all(copied.map((path) => cp(join(root, path), join(copy, path), { recursive: true })))
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
})

function make(...words: string[]) {
  return run(process.execPath, [join(copy, 'scripts/new.mjs'), ...words])
}

test('npm run new writes operations and tests that compile and are well-formed', async () => {
  const made = [
    await make('operation', 'messages/drafts/share-draft', 'POST /drafts/{draft_id}/share'),
    await make('operation', 'messages/snippets/get-one-snippet', 'GET /saved_snippets/{saved_snippet_id}'),
    await make('operation', 'bots/outgoing-webhooks/pause-webhook', 'PATCH /webhooks/{name}'),
  ].flatMap(({ stdout }) => stdout.trim().split('\n'))
  expect(made).toEqual([
    'src/features/messages/drafts/share-draft.ts',
    'src/features/messages/drafts/share-draft.test.ts',
    'src/features/messages/drafts/index.ts',
    'src/features/messages/snippets/get-one-snippet.ts',
    'src/features/messages/snippets/get-one-snippet.test.ts',
    'src/features/messages/snippets/index.ts',
    'src/features/bots/outgoing-webhooks/pause-webhook.ts',
    'src/features/bots/outgoing-webhooks/pause-webhook.test.ts',
    'src/features/bots/outgoing-webhooks/index.ts',
  ])
  await run(join(copy, 'node_modules/.bin/biome'), ['check', '--error-on-warnings', ...made], { cwd: copy })
  const index = await readFile(join(copy, 'src/features/messages/drafts/index.ts'), 'utf8')
  expect(index).toMatch(/^export const endpoints = \[.*\bshareDraft\]$/m)
  const config = { extends: './tsconfig.json', include: [], files: made }
  await writeFile(join(copy, 'tsconfig.new.json'), JSON.stringify(config))
  const tsc = join(copy, 'node_modules/.bin/tsc')
  const { stdout } = await run(tsc, ['-p', 'tsconfig.new.json', '--singleThreaded'], {
    cwd: copy,
  }).catch((error) => error)
  expect(stdout).toBe('')
}, 180_000)

test('the tests of a command are the four that every command has', async () => {
  await make('operation', 'messages/drafts/copy-draft', 'POST /drafts/{draft_id}/copy')
  const written = await readFile(join(copy, 'src/features/messages/drafts/copy-draft.test.ts'), 'utf8')
  expect([...written.matchAll(/^test\('(.*)'/gm)].map(([, title]) => title)).toEqual([
    'it works, and the users concerned are notified',
    'other users are not notified',
    'users without permission are refused, and nothing changes',
    'the events lead from the old state to the new state',
  ])
})

test.each([
  [[], 'Usage: '],
  [['operation', 'drafts/share-draft', 'POST /drafts'], 'must be <group>/<feature>/<name>'],
  [['operation', 'messages/drafts/share-draft', 'POST'], 'must be a method and a path'],
  [['operation', 'messages/kernel/share-draft', 'POST /drafts'], 'A kernel holds rules and views'],
  [['operation', 'messages/doodles/add-doodle', 'POST /doodles'], 'doodles/index.ts does not exist'],
  [['operation', 'messages/drafts/delete-draft', 'POST /drafts'], 'delete-draft.ts exists already'],
])('%j says what is wrong, and changes nothing', async (words, message) => {
  const index = () => readFile(join(copy, 'src/features/messages/drafts/index.ts'), 'utf8')
  const before = await index()
  await expect(make(...words)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(message) })
  expect(await index()).toBe(before)
})
