import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { anotherLog } from '../../test/another-log.ts'
import { testServer } from '../../test/test-server.ts'
import { Databases } from '../db/databases.ts'
import { type NewMessage, sendMessageWrite } from '../features/kernel/messages/new-message.ts'
import { IndexedTable } from '../lib/collections/indexed-table.ts'
import { batchedWrite } from './batched-write.ts'
import type { Entry } from './entry.ts'
import { readHead } from './head.ts'
import { loadRealm } from './load.ts'
import type { RealmLog } from './realm-log.ts'
import type { RealmState } from './realm-state.ts'
import { Realms } from './realms.ts'

const unwritable = batchedWrite<null>({
  name: 'unwritable',
  takesMessageId: false,
  entry() {
    throw new Error('no entry')
  },
})

const server = testServer()
const { organization, anotherNode } = server

test('log numbers have no gaps when commits and groups come concurrently', async () => {
  const { log, id } = await organization()
  await Promise.all(
    range(60).map((i) =>
      i % 2 ? addUser(log, `user ${i}`) : log.commitInGroup(sendMessageWrite, message(id)),
    ),
  )
  const { lastEventId } = await readHead(read(), id)
  expect(await loggedNumbers(id)).toEqual(range(lastEventId).map((i) => i + 1))
  expect(lastEventId).toBe(60)
  expect(log.state.position).toBe(60)
})

test('a commit’s changes are in the state when it returns', async () => {
  const { log } = await organization()
  const user = await addUser(log, 'Ann')
  expect(log.state.users.get(user.id)).toEqual(user)
  expect(log.state.userByEmail('ann@example.com')).toEqual(user)
})

test('a commit that fails leaves nothing', async () => {
  const { log, id } = await organization()
  const before = everything(log.state)
  const failing = log.commit(async (change) => {
    await change.insert('account', account('Ann'))
    change.emit({ type: 'invites_changed' }, { everyone: true })
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(everything(log.state)).toEqual(before)
  expect(everything(await loadRealm(read(), id, () => 0))).toEqual(before)
  expect(await loggedNumbers(id)).toEqual([])
  // And the next one is not the worse for it.
  await addUser(log, 'Ann')
  expect(await loggedNumbers(id)).toEqual([1])
})

test('a commit that violates the database fails alone', async () => {
  const { log } = await organization()
  const results = await Promise.allSettled([addUser(log, 'Ann'), addUser(log, 'Ann'), addUser(log, 'Bob')])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(log.state.position).toBe(2)
})

test('a bad item of a group harms no other', async () => {
  const { log, id } = await organization()
  const tooLarge = { ...message(id), mentioned: [2 ** 40] }
  const results = await asOneGroup(log, () =>
    [message(id), tooLarge, message(id)].map((item) => log.commitInGroup(sendMessageWrite, item)),
  )
  expect(results).toMatchObject([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected' },
    { status: 'fulfilled', value: 2 },
  ])
  expect(await messageIds(id)).toEqual([1, 2])
  expect(await loggedNumbers(id)).toEqual([1, 2])
})

test('an item of which no entry can be made harms no other, and fails with its own error', async () => {
  const { log, id } = await organization()
  const results = await asOneGroup(log, () => [
    log.commitInGroup(sendMessageWrite, message(id)),
    log.commitInGroup(unwritable, null),
    log.commitInGroup(sendMessageWrite, message(id)),
  ])
  expect(results).toMatchObject([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: { message: 'no entry' } },
    { status: 'fulfilled', value: 2 },
  ])
  expect(await loggedNumbers(id)).toEqual([1, 2])
})

test('of two items with the same key in one group, the first is written', async () => {
  const { log, id } = await organization()
  const keyed = { ...message(id), key: { key: 'same', request: null, queueId: null } }
  const results = await asOneGroup(log, () =>
    [keyed, keyed, message(id)].map((item) => log.commitInGroup(sendMessageWrite, item)),
  )
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await messageIds(id)).toEqual([1, 2])
})

test('two nodes write concurrently and end up equal', async () => {
  const org = await organization()
  const { log: first, id } = org
  const { recipient_id } = await org.channel({ subscribers: [org.owner] })
  const start = first.state.position
  const second = await (await anotherNode()).app.realms.byId(id)
  const heard = [hear(first), hear(second)]
  const write = (log: RealmLog, name: string) =>
    range(10).flatMap((i): Promise<unknown>[] => [
      addUser(log, `${name} ${i}`).then((user) => rename(log, user.id, `renamed ${name} ${i}`)),
      log.commitInGroup(sendMessageWrite, message(id, recipient_id)),
    ])
  await Promise.all([...write(first, 'a'), ...write(second, 'b')])
  await expect.poll(() => first.state.position === second.state.position).toBe(true)

  const stored = everything(await loadRealm(read(), id, () => 0))
  expect(stored.position).toBe(start + 60)
  expect(everything(first.state)).toEqual(stored)
  expect(everything(second.state)).toEqual(stored)
  const numbers = range(60).map((i) => start + i + 1)
  expect((await loggedNumbers(id)).slice(start)).toEqual(numbers)
  expect(await messageIds(id)).toEqual(range(20).map((i) => i + 1))
  for (const entries of heard) expect(entries.map((entry) => entry.id)).toEqual(numbers)
})

test('a state carried forward by rows changed and deleted is the one that is stored', async () => {
  const { log, id } = await organization()
  const ann = await addUser(log, 'Ann')
  const group = await log.commit(async (change) => {
    const group = await change.insert('user_group', { name: 'readers', created_at: change.now })
    await change.insertAll('group_member', [
      { group_id: group.id, user_id: ann.id },
      { group_id: group.id, user_id: 1 },
    ])
    return group
  })
  await log.commit((change) => change.deleteAll('group_member', [{ group_id: group.id, user_id: 1 }]))
  await rename(log, ann.id, 'Anna')
  expect([...log.state.membersOfGroup(group.id)].map((row) => row.user_id)).toEqual([ann.id])
  expect(everything(log.state)).toEqual(everything(await loadRealm(read(), id, () => 0)))
})

test('a node that no call reaches finds the news by itself', async () => {
  const { log, id } = await organization()
  const databases = Databases.connect({ databaseUrl: server.databaseUrl }, 2)
  const deaf = { announce() {}, listen() {}, follow: async () => {}, unfollow() {}, close: async () => {} }
  const realms = new Realms(databases, deaf, { clock: () => 0, consequences: [] })
  const other = await realms.byId(id)
  const heard = hear(other)
  await addUser(log, 'Ann')
  await expect.poll(() => heard).toHaveLength(1)
  expect(other.state.userByEmail('ann@example.com')).toBeDefined()
  await realms.close()
  await databases.close()
})

test('a write that another worker has made succeeds, even if it cannot be followed', async () => {
  const { id } = await organization()
  const databases = Databases.connect({ databaseUrl: server.databaseUrl }, 2)
  const handOver = () => databases.close().then(() => ({ messageId: 7, position: 99 }))
  const log = await anotherLog(databases, id, { handOver })
  expect(await log.commitInGroup(sendMessageWrite, message(id))).toBe(7)
})

test('the connections for reading refuse to write', async () => {
  await organization()
  await expect(read().rows(sql`DELETE FROM realm`)).rejects.toThrow('read-only transaction')
})

/** Starts all items while a commit is under way, so that they are written together. */
async function asOneGroup(log: RealmLog, items: () => Promise<number>[]) {
  let open = () => {}
  const held = new Promise<void>((resolve) => {
    open = resolve
  })
  const holding = log.commit(() => held)
  const waiting = Promise.allSettled(items())
  open()
  await holding
  return waiting
}

function addUser(log: RealmLog, name: string) {
  return log.commit((change) => change.insert('account', account(name)))
}

function rename(log: RealmLog, id: number, name: string) {
  return log.commit((change) => change.update('account', { id, full_name: name }))
}

function account(name: string) {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`
  // A system bot is in no group, so its only event is that there is another user.
  return { delivery_email: email, full_name: name, role: 400, created_at: 0, is_system_bot: true }
}

function message(realmId: number, recipientId = 1): NewMessage {
  return {
    realmId,
    message: {
      recipient_id: recipientId,
      sender_id: 1,
      topic: '',
      content: 'hello',
      rendered_content: '<p>hello</p>',
      rendered_version: 1,
      client: 'test',
      is_me_message: false,
      mentions_channel: false,
      mentions_topic: false,
      read_by_sender: false,
      has_link: false,
      has_image: false,
      has_attachment: false,
    },
    mentioned: [],
    key: null,
    echo: null,
  }
}

function hear(log: RealmLog): Entry[] {
  const heard: Entry[] = []
  log.listen((entries) => heard.push(...entries))
  return heard
}

/** Returns everything in a state, for comparison, whatever tables and maps it has. */
function everything(state: RealmState) {
  const held: Record<string, unknown> = {}
  for (const [name, value] of Object.entries<unknown>({ ...state })) {
    if (value instanceof IndexedTable) held[name] = [...value.values()].map(inOrder).sort()
    if (value instanceof Map) held[name] = [...value.entries()].map(inOrder).sort()
    if (typeof value === 'number') held[name] = value
  }
  return held
}

function inOrder(row: object) {
  return JSON.stringify(Object.entries(row).sort())
}

async function loggedNumbers(realmId: number) {
  const rows = await read().rows<{ id: number }>(
    sql`SELECT id FROM event_log WHERE realm_id = ${realmId} ORDER BY id`,
  )
  return rows.map((row) => row.id)
}

async function messageIds(realmId: number) {
  const rows = await read().rows<{ id: number }>(
    sql`SELECT id FROM message WHERE realm_id = ${realmId} ORDER BY id`,
  )
  return rows.map((row) => row.id)
}

function read() {
  return server.node.app.realms.connections.read
}

function range(length: number) {
  return Array.from({ length }, (_, i) => i)
}

test('news of another epoch is not taken for old, whatever its number', async () => {
  const { log, id } = await organization()
  await addUser(log, 'Ann')
  const other = await (await anotherNode()).app.realms.byId(id)
  await other.startOver()
  const { epoch } = other.state
  const news = { database: 'main', after: { id: 0, stamp: 0 }, epoch, lastMessageId: 0, entries: [] }
  await log.applyNews(() => [news])
  expect(log.state.epoch).toBe(epoch)
})
