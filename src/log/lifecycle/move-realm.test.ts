import { expect, test } from 'vitest'
import { Browser } from '../../../test/browser.ts'
import { EventStream } from '../../../test/event-stream.ts'
import { contentsOf, sender } from '../../../test/messages.ts'
import { newOrganization } from '../../../test/organization.ts'
import type { Person } from '../../../test/person.ts'
import { sendFiles } from '../../../test/pictures.ts'
import { severalDatabases } from '../../../test/processes/several-databases.ts'
import { copyLock } from '../../db/move-lock.ts'
import { systemClock } from '../../lib/clock.ts'
import { must } from '../../lib/must.ts'
import { logLimits } from '../limits.ts'
import { NoSuchRealm } from '../realm-places.ts'
import { removeLeftBehind } from './left-behind.ts'

const { all, urls, connectionsTo, move, rowsIn, block, gateAt } = severalDatabases()

/** The id of an organization that no database knows. */
const lost = -1

/** Sends one message after the other until it is told to stop; returns what was acknowledged. */
function keepSending(person: Person, channel: { id: number }, topic: string) {
  let isOver = false
  const sent: { id: number; content: string }[] = []
  const send = sender(person, channel)
  const ended = (async () => {
    for (let n = 0; !isOver; n++)
      sent.push({ id: await send(topic, `${topic} ${n}`), content: `${topic} ${n}` })
  })()
  return {
    sent,
    async stop() {
      isOver = true
      await ended
      return sent
    },
  }
}

/** Collects the messages of a queue until one with this content has come. */
async function listenUntil(person: Person, last: string) {
  const client = await person.register({ event_types: ['message'], apply_markdown: false })
  const heard: { id: number; content: string; eventId: number }[] = []
  const ended = (async () => {
    while (heard.at(-1)?.content !== last) {
      for (const { id, message } of await client.next())
        heard.push({ id: message.id, content: message.content, eventId: id })
    }
    return heard
  })()
  return { heard, ended }
}

test('takes along an organization that has only the first ids', async () => {
  const org = await all.organization()
  await move(org, 'second')
  const person = await org.person()
  expect((await person.get('/users/me')).body.user_id).toBe(person.id)
})

test('loses, repeats and reorders nothing while people write and listen, and disturbs nobody else', async () => {
  const [org, others] = [await all.organization(), await all.organization()]
  const [anna, ben] = [await org.person({ name: 'Anna' }), await org.person({ name: 'Ben' })]
  const channel = await org.channel({ subscribers: [anna, ben] })
  const beside = await others.channel({ subscribers: [others.owner] })
  const node = await all.anotherNode()
  const file = await sendFiles(anna, 'POST', '/user_uploads', [
    { name: 'a.txt', content: Buffer.from('what is in it') },
  ])
  await sender(anna, channel)('files', `[a](${file.body.url})`)
  const browser = new Browser(org.place)
  await browser.logIn(org.owner.email, 'correct horse')

  const listeners = [await listenUntil(anna, 'the end'), await listenUntil(anna.at(node), 'the end')]
  const { queueId, state } = await anna.register({ event_types: ['message'], apply_markdown: false })
  const stream = new EventStream(anna.at(node), queueId, { lastEventId: state.last_event_id })
  const senders = [
    keepSending(ben, channel, 'here'),
    keepSending(ben.at(node), channel, 'there'),
    keepSending(others.owner, beside, 'beside'),
  ]
  await expect.poll(() => senders.every(({ sent }) => sent.length > 5)).toBe(true)
  expect(await move(org, 'second')).toBeLessThan(logLimits.movePauseSeconds * 1000)
  const before = senders.map(({ sent }) => sent.length)
  await expect.poll(() => senders.every(({ sent }, i) => sent.length > before[i]! + 5)).toBe(true)
  const [here, there] = await Promise.all(senders.map(({ stop }) => stop()))
  const last = { id: await sender(ben, channel)('here', 'the end'), content: 'the end' }

  const sent = [...must(here, 'messages'), ...must(there, 'messages'), last].sort((a, b) => a.id - b.id)
  for (const { ended } of listeners) {
    const heard = await ended
    expect(heard.map(({ id, content }) => ({ id, content }))).toEqual(sent)
    const ids = heard.map(({ eventId }) => eventId)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
  }
  await expect
    .poll(() => stream.events.map(({ message }) => message?.content))
    .toEqual(sent.map(({ content }) => content))
  await stream.close()
  for (const reader of [anna, anna.at(node)]) {
    const contents = (await contentsOf(reader, channel)).map(([, content]) => content)
    expect(contents.slice(1)).toEqual(sent.map(({ content }) => content))
  }
  expect(await browser.status()).toBe(200)
  const downloaded = await anna.raw({ method: 'GET', path: file.body.url })
  expect(downloaded.text).toBe('what is in it')
  expect(Object.keys(await rowsIn('second', others))).toEqual([])
})

test('lets people read what there is while nobody can write', async () => {
  const org = await all.organization()
  const [anna, ben] = [await org.person({ name: 'Anna' }), await org.person({ name: 'Ben' })]
  const channel = await org.channel({ subscribers: [org.owner, ben] })
  const id = await sender(org.owner, channel)('a', 'hello')
  expect(await contentsOf(org.owner, channel)).toHaveLength(1)
  await anna.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  const gate = await gateAt('second', 'moved_head')
  const moving = move(org, 'second')
  await expect.poll(gate.isAwaited).toBe(true)
  const page = { anchor: 'newest', num_before: 10, num_after: 0 }
  // She has never received it.
  const starred = await anna.get('/messages', { ...page, narrow: [['is', 'starred']] })
  expect(starred.body.messages).toMatchObject([{ id }])
  // It is in memory, but not what Ben has read of it.
  const reading = contentsOf(ben, channel)
  const readingAll = ben.get('/messages', page)
  await gate.open()
  await moving
  expect(await reading).toEqual([['a', 'hello']])
  expect((await readingAll).body.messages).toMatchObject([{ id }])
})

test('brings every row as it was, also what changed and went while it copied', async () => {
  const org = await all.organization()
  const { owner } = org
  const channel = await org.channel({ subscribers: [owner, await org.person({ name: 'Ben' })] })
  const send = sender(owner, channel)
  const [kept, edited, deleted] = [
    await send('a', 'kept @**Ben**'),
    await send('a', 'b'),
    await send('a', 'c'),
  ]
  const react = (id: number, emoji_name = 'tada') => owner.post(`/messages/${id}/reactions`, { emoji_name })
  for (const id of [kept, edited, deleted]) await react(id)
  const group = async (name: string): Promise<number> =>
    (await owner.post('/user_groups/create', { name, description: '', members: [] })).body.group_id
  const rename = (id: number, name: string) => owner.patch(`/user_groups/${id}`, { name })
  const [first, second] = [await group('first'), await group('second')]
  await all.workOff()

  const hold = await block('third', 'LOCK TABLE account IN ROW EXCLUSIVE MODE')
  const moving = move(org, 'third')
  await expect.poll(hold.isAwaited).toBe(true)
  await owner.patch(`/messages/${edited}`, { content: 'edited' })
  await owner.delete(`/messages/${deleted}`)
  await react(kept, 'heart')
  await owner.ask('DELETE', `/messages/${kept}/reactions`, { emoji_name: 'tada' })
  for (const [id, name] of [
    [first, 'other'],
    [second, 'first'],
    [first, 'second'],
  ] as const)
    await rename(id, name)
  await send('a', 'new')
  await hold.release()
  await moving

  const left = await rowsIn('main', org)
  expect(await rowsIn('third', org)).toEqual(left)
  expect(Object.keys(left)).toEqual(
    expect.arrayContaining(['message', 'message_flag', 'reaction', 'user_group', 'event_log']),
  )
  const contents = (await contentsOf(owner, channel)).map(([, content]) => content)
  expect(contents).toEqual(['kept @**Ben**', 'edited', 'new'])
})

test('waits for a long write in the other database without holding up what others write there', async () => {
  const [org, other] = [await all.organization(), await newOrganization(all.node, 'beside', 'second')]
  // Ids of the other database have to go on beyond this.
  await connectionsTo('main').pool.query(`SELECT setval(pg_get_serial_sequence('account', 'id'), 100000)`)
  const hold = await block('second', 'LOCK TABLE account IN ROW EXCLUSIVE MODE')
  const lines: string[] = []
  const moving = move(org, 'second', true, (line) => lines.push(line))
  await expect.poll(hold.isAwaited).toBe(true)
  // The long write does not end before the hold is released, and others wait behind a try only until it gives up.
  await other.person()
  expect(Math.max(logLimits.tableLockMs, logLimits.vacuumedTableLockMs)).toBeLessThan(2_000)
  await expect.poll(() => lines).toContain('Something writes in account for long: waiting for it.')
  await hold.release()
  await moving
  expect((await org.owner.get('/users/me')).status).toBe(200)
})

test('goes back and forth, and leaves nothing behind for long', async () => {
  const org = await newOrganization(all.node, 'restless')
  const channel = await org.channel({ subscribers: [org.owner] })
  const client = await org.owner.register({ event_types: ['message'] })
  for (const to of ['second', 'main', 'third']) {
    await move(org, to)
    await sender(org.owner, channel)('to', to)
  }
  const heard = await client.events()
  expect(heard.map(({ message }) => message.content)).toEqual([
    '<p>second</p>',
    '<p>main</p>',
    '<p>third</p>',
  ])
  // Its name is free where it was, though its rows are still there.
  expect(Object.keys(await rowsIn('main', org))).toContain('message')
  await move(org, 'second')
  const { databases } = all.node.app.realms
  const clean = async (now: number) => {
    const errors: unknown[] = []
    await removeLeftBehind(databases, urls(), now, (error) => errors.push(error))
    return errors
  }
  expect(await clean(systemClock())).toEqual([])
  expect(Object.keys(await rowsIn('main', org))).toContain('message')
  // A command that hangs where it is no longer, and rows of an organization that is nowhere, hold up nothing else.
  const hold = await block('main', `SELECT pg_advisory_xact_lock(${copyLock}, ${org.id})`)
  await connectionsTo('main').pool.query(
    `INSERT INTO realm (id, name, subdomain, created_at) OVERRIDING SYSTEM VALUE VALUES (${lost}, 'Lost', '#lost', 0)`,
  )
  const later = systemClock() + 2 * logLimits.leftBehindSeconds
  expect(await clean(later)).toEqual([new NoSuchRealm(`realm ${lost} does not exist`)])
  expect(await rowsIn('third', org)).toEqual({})
  expect(Object.keys(await rowsIn('main', org))).toContain('message')
  await hold.release()
  await clean(later)
  for (const name of ['main', 'third']) expect(await rowsIn(name, org)).toEqual({})
  expect(await contentsOf(org.owner, channel)).toHaveLength(3)
})
