import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { BigBlueButton } from '../src/adapters/big-blue-button.ts'
import { PushRelay } from '../src/adapters/push-relay.ts'
import { safeFetch } from '../src/adapters/safe-fetch.ts'
import { withClient } from '../src/cli/database/with-client.ts'
import { checkIsNotNewer, migrationGap } from '../src/db/migrate.ts'
import { Person } from './person.ts'
import { png, sendFiles } from './pictures.ts'
import { filledPath, operations } from './random/operations.ts'
import { usualRequests } from './random/usual-requests.ts'
import { testServer } from './test-server.ts'

// Two adjacent versions may run on one database, while an upgrade goes from node to node. The older one serves on after the newer one
// has brought the database up to date, so migrations only add: what is no longer used goes in a version after that.

const push = new PushRelay('http://relay.example', undefined, false, safeFetch())
const bigBlueButton = new BigBlueButton('http://calls.example', 'secret', safeFetch())
const server = testServer({ adapters: { push, bigBlueButton } })

/** What ends the organization, the user who asks, or their key. */
const ending = ['POST /realm/deactivate', 'DELETE /users/me', 'POST /users/me/api_key/regenerate']

test('a node serves on when a newer version has added tables and columns', async () => {
  const org = await server.organization()
  const usual = await usualRequests(org)
  const other = await server.organization()
  const before = await other.owner.register()
  // What the older node has prepared and holds in memory, it has from the older tables.
  await nextVersion()
  const newer = await server.anotherNode()
  const atNewer = new Person({ ...other.owner.place, port: newer.port }, other.owner)
  const after = await atNewer.register()
  for (const person of [other.owner, atNewer, other.owner]) await changeMuch(person)
  await before.expectStateToMatch()
  await after.expectStateToMatch()

  const failed: string[] = []
  for (const operation of operations().filter(({ isRoot }) => !isRoot)) {
    const { method, path, takesFiles, declared } = operation
    if (ending.includes(`${method} ${path}`)) continue
    const sent = await usual(operation)
    const filled = filledPath(operation, sent)
    const inPath = declared.flatMap((param) => (param.inPath ? [param.name] : []))
    const rest = Object.fromEntries(Object.entries(sent).filter(([name]) => !inPath.includes(name)))
    const { status, text } = takesFiles
      ? await sendFiles(org.owner, method, filled, [{ content: await png(8) }], { fields: rest })
      : await org.owner.ask(method, filled, { ...rest, ...(path === '/events' && { dont_block: 'true' }) })
    if (status >= 500) failed.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`)
  }
  expect(failed).toEqual([])
})

let count = 0

/** Writes to most of the tables that nodes hold in memory, and follows the log of the other node. */
async function changeMuch(person: Person) {
  const name = `made ${++count}`
  const requests: [string, string, Record<string, unknown>][] = [
    ['POST', '/users/me/subscriptions', { subscriptions: [{ name }] }],
    ['POST', '/messages', { type: 'channel', to: name, topic: 'x', content: `@**all** ${name}` }],
    ['POST', '/user_groups/create', { name, description: '', members: [person.id] }],
    ['POST', '/channel_folders/create', { name, description: '' }],
    [
      'POST',
      '/realm/filters',
      { pattern: `#${count}(?P<id>[0-9]+)`, url_template: 'https://a.example/{id}' },
    ],
    ['POST', '/bots', { full_name: name, short_name: `bot${count}` }],
    ['PATCH', '/settings', { twenty_four_hour_time: count % 2 === 0 }],
    ['PATCH', '/realm', { description: name }],
    ['POST', '/users/me/status', { status_text: name }],
    ['POST', '/users/me/alert_words', { alert_words: [name] }],
  ]
  for (const [method, path, params] of requests) {
    const { status, text } = await person.ask(method, path, params)
    expect(status, `${path}: ${text}`).toBe(200)
  }
}

test('an older program refuses the tables of a newer one', async () => {
  await withClient(server.databaseUrl, async (client) => {
    await client.query("INSERT INTO migration (name) VALUES ('9999_later.sql')")
    const { unknown } = await migrationGap(client)
    expect(() => checkIsNotNewer(unknown)).toThrow(
      'The database is newer than this version of Rookery, by 9999_later.sql: start the newer version',
    )
    await client.query("DELETE FROM migration WHERE name = '9999_later.sql'")
  })
})

test('migrations only add, unless they say which version stopped using what they change', async () => {
  const folder = new URL('../src/db/migrations/', import.meta.url)
  const names = (await readdir(folder)).filter((name) => name > firstAdditive).sort()
  const wrong: string[] = []
  for (const name of names) {
    const text = await readFile(new URL(name, folder), 'utf8')
    const statements = text.replace(/--.*$/gm, '')
    const found = statements.match(
      /\bDROP (TABLE|COLUMN)\b|\bRENAME\b|\bSET NOT NULL\b|\bALTER COLUMN \w+ (SET DATA )?TYPE\b/i,
    )
    if (found && !/^-- Unused since: \d+\.\d+/m.test(text)) wrong.push(`${name}: ${found[0]}`)
  }
  expect(wrong).toEqual([])
})

/** Those of before were for versions that never ran together. */
const firstAdditive = '0033'

/** Does to the database what the migrations of a next version may do. */
async function nextVersion() {
  await withClient(server.databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'",
    )
    for (const { name } of rows)
      await client.query(`ALTER TABLE ${name} ADD COLUMN later text NOT NULL DEFAULT 'new'`)
    await client.query('CREATE TABLE later (realm_id integer, id integer, PRIMARY KEY (realm_id, id))')
  })
}
