import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { readFile, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { Organization } from '../../../../test/organization.ts'
import { Person } from '../../../../test/person.ts'
import { png, sendFiles } from '../../../../test/pictures.ts'
import { newDatabase } from '../../../../test/runner/database.ts'
import { publicHost, startNode, testServer } from '../../../../test/test-server.ts'
import type { FileStore } from '../../../adapters/files/file-store.ts'
import { localFiles } from '../../../adapters/files/local.ts'
import { tableShapes } from '../../../db/catalog.ts'
import { type Connections, connect } from '../../../db/database.ts'
import { writeArchive } from './archive.ts'
import { importArchive } from './import-archive.ts'
import type { ScopeName } from './scope.ts'
import { type TablePlan, tablePlans } from './tables.ts'

const all = testServer()
const directory = mkdtempSync(join(tmpdir(), 'rookery-exports-'))
const places: { connections: Connections; drop(): Promise<void> }[] = []
let count = 0

afterAll(async () => {
  for (const { connections, drop } of places) {
    await connections.close()
    await drop()
  }
  rmSync(directory, { recursive: true, force: true })
})

async function exported(org: Organization, scope: ScopeName = 'full'): Promise<string> {
  const file = join(directory, `${++count}.tar.gz`)
  const { read } = all.node.app.realms.connections
  const source = { read, files: all.adapters.files, realmId: org.id, scope, version: '1', now: 1 }
  await writeArchive(source, (content) => pipeline(content, createWriteStream(file)))
  return file
}

/** An empty server: a database and a store for files. */
async function elsewhere() {
  const database = await newDatabase()
  const files = localFiles(join(directory, `files-${++count}`))
  const connections = connect(database.url, 2)
  places.push({ connections, drop: database.drop })
  return { url: database.url, files, connections }
}

function imported(file: string, databaseUrl: string, files: FileStore, as?: string) {
  const subdomain = async (m: { organization: { subdomain: string } }) => as ?? m.organization.subdomain
  return importArchive({ databaseUrl, files, content: createReadStream(file), subdomain, now: 1 })
}

/** An organization with an example of everything that users create. */
async function lively() {
  const org = await all.organization()
  const ann = await org.person({ role: 'administrator' })
  const channel = await org.channel({ name: 'tea', subscribers: [org.owner, ann] })
  const upload = await sendFiles(ann, 'POST', '/user_uploads', [
    { name: 'a b.png', content: await png(30, 20) },
  ])
  const content = `see [it](${upload.body.url})\n/x and \u2028 "quotes" ✔`
  const message = await ann.post('/messages', { type: 'channel', to: channel.id, topic: 'green', content })
  await ann.post('/messages', { type: 'direct', to: [org.owner.id], content: 'only for you' })
  await sendFiles(ann, 'POST', '/users/me/avatar', [{ content: await png() }])
  await sendFiles(org.owner, 'POST', '/realm/emoji/party', [{ content: await png() }])
  await org.owner.post(`/messages/${message.body.id}/reactions`, { emoji_name: 'party' })
  await org.owner.post('/messages/flags', { messages: [message.body.id], op: 'add', flag: 'read' })
  await org.owner.post('/user_groups/create', { name: 'drinkers', description: '', members: [ann.id] })
  return { org, ann, channel, url: upload.body.url as string, messageId: message.body.id as number }
}

async function shapesToCompare(connections: Connections) {
  const plans = tablePlans as Record<string, TablePlan>
  return (await tableShapes(connections.read)).filter(({ name }) => !('never' in plans[name]!))
}

/** The rows of a table that are exported, as text, without the organization's id. */
async function rowsOf({ read }: Connections, table: string, realmId: number) {
  const own = table === 'realm' ? 'id' : 'realm_id'
  // An import adds an entry of its own.
  const extra = { attachment: 'removed_at IS NULL', audit_entry: "kind <> 'organization.import'" }[table]
  const rows = await read.rows(sql<{ line: string }>`
    SELECT (to_jsonb(t) - ${own}::text)::text AS line FROM ${sql.table(table)} t
    WHERE ${sql.ref(own)} = ${realmId} AND ${sql.raw(extra ?? 'true')} ORDER BY 1`)
  return rows.map(({ line }) => line)
}

async function contentsOf(files: FileStore, realmId: number) {
  const found: Record<string, string> = {}
  for await (const path of files.list(`${realmId}/`)) {
    const file = await files.open(path)
    found[path.slice(path.indexOf('/'))] = (await buffer(file!.content)).toString('base64')
  }
  return found
}

/** Waits until no job is due, since the server's jobs change rows. */
async function jobsDue({ read }: Connections, { id }: Organization): Promise<number> {
  const soon = Math.floor(Date.now() / 1000) + 60
  const rows = await read.rows(sql`
    SELECT 1 FROM job WHERE realm_id = ${id} AND parked_at IS NULL AND due_at < ${soon}`)
  return rows.length
}

type FilledColumn = { column: string; type: string; needed: boolean }

/** Adds a row to each exported table that is empty, whatever its columns mean. */
async function fill(connections: Connections, org: Organization, messageId: number) {
  for (const { name } of await shapesToCompare(connections)) {
    if ((await rowsOf(connections, name, org.id)).length > 0) continue
    const columns = await connections.read.rows(sql<FilledColumn>`
      SELECT attname AS column, format_type(atttypid, atttypmod) AS type, attnotnull AS needed FROM pg_attribute
      WHERE attrelid = ${name}::regclass AND attnum > 0 AND attgenerated = '' AND NOT attisdropped`)
    const value = ({ column, type, needed }: FilledColumn) => {
      if (column === 'realm_id') return org.id
      if (column === 'message_id') return messageId
      // It could not be decrypted elsewhere, so it is not exported.
      if (column === 'sealed') return null
      // Exactly one of channel and users states the recipient of a message.
      if (column === 'user_ids' && !needed) return null
      if (type.endsWith('[]')) return type === 'text[]' ? ['a "b"', 'c, d'] : [1, 2]
      return values[type] ?? 7
    }
    const row = Object.fromEntries(columns.map((one) => [one.column, value(one)]))
    const list = sql.join(columns.map(({ column }) => sql.ref(column)))
    await sql`INSERT INTO ${sql.table(name)} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list}
      FROM jsonb_populate_record(null::${sql.table(name)}, ${JSON.stringify(row)}::jsonb)`.execute(
      connections.db,
    )
  }
}

const values: Record<string, unknown> = {
  text: 'a "text" \\n of\nlines ✔ 🎉',
  boolean: true,
  jsonb: { a: [1, null, 'ü'], n: 0.1 },
  uuid: '01234567-89ab-cdef-0123-456789abcdef',
  int8multirange: '{[1,5),[9,10)}',
  'double precision': 0.5,
}

describe('an export that is imported', () => {
  test('is the same organization on an empty server: every table, every file', async () => {
    const { org, messageId } = await lively()
    const { connections } = all.node.app.realms
    await fill(connections, org, messageId)
    await expect.poll(() => jobsDue(connections, org)).toBe(0)
    const there = await elsewhere()
    const { realmId } = await imported(await exported(org), there.url, there.files)
    expect(realmId).toBe(org.id)
    for (const { name } of await shapesToCompare(connections)) {
      const [before, after] = await Promise.all([
        rowsOf(connections, name, org.id),
        rowsOf(there.connections, name, realmId),
      ])
      expect([name, after]).toEqual([name, before])
      expect([name, before.length > 0]).toEqual([name, true])
    }
    const files = await contentsOf(there.files, realmId)
    expect(files).toEqual(await contentsOf(all.adapters.files, org.id))
    // An upload and its thumbnail, an avatar in two sizes, an emoji.
    expect(Object.keys(files)).toHaveLength(5)
  })

  test('continues where it was: keys, ids, read state, uploads', async () => {
    const { org, ann, channel, url, messageId } = await lively()
    const bot = (await org.owner.post('/bots', { full_name: 'Helper', short_name: 'helper' })).body
    const there = await elsewhere()
    await imported(await exported(org), there.url, there.files)
    const node = await startNode(there.url, { adapters: { files: there.files } })
    try {
      const owner = new Person({ port: node.port, host: org.place.host }, org.owner)
      const client = await owner.register({ event_types: ['message'] })
      expect((await owner.register()).state.realm_name).toBe(org.state.row.name)
      const { messages } = (await owner.get('/messages', { anchor: 'newest', num_before: 10, num_after: 0 }))
        .body
      expect(messages.map(({ id }: { id: number }) => id)).toContain(messageId)
      expect((await owner.raw({ method: 'GET', path: url })).status).toBe(200)
      const sent = await owner.post('/messages', {
        type: 'channel',
        to: channel.id,
        topic: 'x',
        content: 'on',
      })
      expect(sent.body.id).toBeGreaterThan(messages.at(-1).id)
      expect(await client.next()).toMatchObject([{ type: 'message', message: { id: sent.body.id } }])
      const made = await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'new' }] })
      expect(made.body.subscribed).toEqual({ [owner.id]: ['new'] })
      const known = [...org.state.channels.values()].map(({ id }) => id)
      expect(Math.max(...known)).toBeLessThan(
        (await owner.get('/get_stream_id', { stream: 'new' })).body.stream_id,
      )
      expect((await new Person(owner.place, ann).get('/users/me')).body.user_id).toBe(ann.id)
      // Bots log in, too, but their keys are not shown, even if the server's secret is the same.
      expect((await owner.get('/bots')).body.bots).toMatchObject([{ full_name: 'Helper', api_key: '' }])
      const helper = { ...ann, email: `helper-bot@${org.place.host}`, key: bot.api_key }
      expect((await new Person(owner.place, helper).get('/users/me')).body.user_id).toBe(bot.user_id)
    } finally {
      await node.close()
    }
  })

  test('is a second organization beside the original, with uploads and pictures of its own', async () => {
    const { org, url, messageId } = await lively()
    const file = await exported(org)
    const { realmId } = await imported(file, all.databaseUrl, all.adapters.files, `copy${org.id}`)
    expect(realmId).not.toBe(org.id)
    const place = { port: all.node.port, host: `copy${org.id}.${publicHost}` }
    const copied = new Person(place, org.owner)
    const { message } = (await copied.get(`/messages/${messageId}`)).body
    const moved = url.replace(`/${org.id}/`, `/${realmId}/`)
    expect(message.content).toContain(moved)
    expect(message.content).not.toContain(url)
    expect((await copied.raw({ method: 'GET', path: moved })).status).toBe(200)
    const { emoji } = (await copied.get('/realm/emoji')).body
    const [party] = Object.values(emoji) as { source_url: string }[]
    expect((await copied.raw({ method: 'GET', path: party!.source_url })).status).toBe(200)
    await copied.post('/messages', { type: 'direct', to: [org.owner.id], content: 'here alone' })
    const { messages } = (await org.owner.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0 }))
      .body
    expect(messages.map(({ content }: { content: string }) => content).join()).not.toContain('here alone')
    const { connections } = all.node.app.realms
    const same = (await shapesToCompare(connections)).filter(
      ({ name }) => !['realm', 'message', 'attachment', 'job'].includes(name),
    )
    for (const { name } of same) {
      if (name === 'recipient' || name === 'read_state') continue // what the copy has said to itself
      const before = await rowsOf(connections, name, org.id)
      expect([name, await rowsOf(connections, name, realmId)]).toEqual([name, before])
    }
  })

  test('is refused if it is truncated, damaged or not an export, and leaves nothing', async () => {
    const { org } = await lively()
    const file = await exported(org)
    const there = await elsewhere()
    const size = (await readFile(file)).length
    await truncate(file, size - 1_000)
    await expect(imported(file, there.url, there.files)).rejects.toThrow(/cannot be read|cut off/)
    await truncate(file, 100)
    await expect(imported(file, there.url, there.files)).rejects.toThrow(/cannot be read|cut off/)
    await expect(imported(import.meta.filename, there.url, there.files)).rejects.toThrow('cannot be read')
    expect(await there.connections.read.selectFrom('realm').selectAll().execute()).toEqual([])
    expect(await contentsOf(there.files, org.id)).toEqual({})
  })

  test('public data become an organization, too', async () => {
    const { org, ann, channel } = await lively()
    const secret = await org.channel({ name: 'secret', subscribers: [ann], isPrivate: true })
    await ann.post('/messages', { type: 'channel', to: secret.id, topic: 'x', content: 'private words' })
    const there = await elsewhere()
    const { realmId } = await imported(await exported(org, 'public'), there.url, there.files)
    const textOf = async (table: string) => (await rowsOf(there.connections, table, realmId)).join()
    const [texts, jobs, names] = [await textOf('message'), await textOf('job'), await textOf('channel')]
    expect(texts).toContain('quotes')
    expect(texts).not.toMatch(/only for you|private words/)
    expect(await rowsOf(there.connections, 'credential', realmId)).toEqual([])
    expect(jobs).toMatch(/channel activity.*digests.*retention/)
    expect([names.includes(channel.name), names.includes('secret')]).toEqual([true, false])
    const node = await startNode(there.url, { adapters: { files: there.files } })
    try {
      const realm = await node.app.realms.byId(realmId)
      expect(realm.state.users.get(ann.id)).toMatchObject({ full_name: ann.name, settings: {} })
    } finally {
      await node.close()
    }
  })
})

test('for every table there is a decision whether it is exported', async () => {
  const { read } = all.node.app.realms.connections
  const shapes = await tableShapes(read)
  expect(Object.keys(tablePlans).sort()).toEqual(shapes.map(({ name }) => name).sort())
  const plans = Object.entries(tablePlans) as [string, TablePlan][]
  for (const [name, plan] of plans) {
    const reason = 'never' in plan ? plan.never : 'fullOnly' in plan ? plan.fullOnly : 'exported'
    expect([name, reason.length > 5]).toEqual([name, true])
  }
})

test('no column with a name like a secret is in an export for administrators by accident', async () => {
  const { read } = all.node.app.realms.connections
  const shapes = await tableShapes(read)
  const plans = tablePlans as Record<string, TablePlan>
  const suspicious = shapes.flatMap(({ name, columns }) => {
    const plan = plans[name]!
    if (!('rows' in plan)) return []
    const open = columns.filter((column) => !plan.secret?.includes(column))
    return open
      .filter((column) => /hash|token|secret|password|private|key\b|auth/.test(column))
      .map((c) => `${name}.${c}`)
  })
  // A bot's own names for its stored values, and whether a channel is private.
  expect(suspicious).toEqual(['bot_storage.key', 'channel.is_private', 'custom_emoji.author_id'])
})
