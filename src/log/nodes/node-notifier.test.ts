import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { NatsServer } from '../../../test/programs/nats-server.ts'
import {
  listening,
  type NotifiedPlace,
  newNotifier,
  newPlace,
  newsOf,
  secrets,
  type TestNotifier,
} from '../../../test/programs/notifiers.ts'
import { connectToNats } from '../../adapters/nats.ts'
import type { LogNews } from './news.ts'
import { nameOf } from './notify-by-nats.ts'

let nats: NatsServer
let here: NotifiedPlace
let elsewhere: NotifiedPlace

beforeAll(async () => {
  nats = await NatsServer.start()
  here = await newPlace()
  elsewhere = await newPlace()
})

afterAll(async () => {
  for (const { connections, drop } of [here, elsewhere]) {
    await connections.close()
    await drop()
  }
  await nats.kill()
})

describe.each(['NOTIFY', 'NATS'])('by %s', (way) => {
  const notifierAt = (place: NotifiedPlace) => newNotifier(place, way === 'NATS' ? nats.url : undefined)

  test('a node that announces something and closes immediately is heard', async () => {
    const { notifier: staying, heard } = await listening(notifierAt(here))
    const { notifier: passing } = notifierAt(here)
    passing.announce(7, 41)
    passing.announce(7, 42)
    passing.announce(8, 3)
    await passing.close()
    await expect.poll(() => heard).toEqual(expect.arrayContaining(['7:42', '8:3']))
    expect(heard).not.toContain('7:41')
    await staying.close()
  })

  test('nodes on different databases do not hear each other', async () => {
    const first = await listening(notifierAt(here))
    const second = await listening(notifierAt(here))
    const [other, another] = [await listening(notifierAt(elsewhere)), await listening(notifierAt(elsewhere))]
    first.notifier.announce(7, 100)
    other.notifier.announce(7, 200)
    await expect.poll(() => second.heard).toContain('7:100')
    await expect.poll(() => another.heard).toContain('7:200')
    expect(another.heard).not.toContain('7:100')
    expect([...first.heard, ...second.heard]).not.toContain('7:200')
    await closeAll(first, second, other, another)
  })

  test('others on the line can neither read news nor forge them', async () => {
    const { from, to } = await following(() => notifierAt(here))
    const calls: string[] = []
    const stranger = await strangerBy(way, (call) => calls.push(call))
    const texts = Array.from({ length: 60 }, (_, i) => `${i} a word in private `.repeat(30))
    from.notifier.announce(7, 60, () => newsOf(1, texts))
    await expect.poll(() => to.news.join()).toContain('59 a word in private')
    const arrived = to.news.flatMap((text) => (JSON.parse(text) as LogNews).entries)
    expect(arrived.filter(({ id }) => id > 0)).toHaveLength(60)
    await expect.poll(() => calls).toContain('7:60')
    expect(calls.join()).not.toContain('private')

    await stranger.send(`7:61:${JSON.stringify(newsOf(61, ['forged']))}`)
    await stranger.send('7:62')
    await expect.poll(() => to.heard).toContain('7:62')
    expect(to.heard).not.toContain('7:61')
    await stranger.end()
    await closeAll(from, to)
  })

  test('a node hears of organizations that it follows, and where one is that it follows from now on', async () => {
    const { from, to } = await following(() => notifierAt(here))
    // At first, a node tells all.
    await sleep(1_200)
    from.notifier.announce(9, 5, () => newsOf(5, ['for nobody']))
    from.notifier.announce(7, 61)
    await expect.poll(() => to.heard).toContain('7:61')
    expect(to.heard.join()).not.toContain('9:')
    expect(from.heard).not.toContain('7:61')
    await to.notifier.follow(9)
    await expect.poll(() => to.heard).toContain('9:5')

    from.notifier.announce(9, 6, () => newsOf(6, ['for those who follow']))
    await expect.poll(() => to.news.join()).toContain('for those who follow')
    to.notifier.unfollow(9)
    from.notifier.announce(9, 7)
    from.notifier.announce(7, 62)
    await expect.poll(() => to.heard).toContain('7:62')
    expect(to.heard).not.toContain('9:7')
    await closeAll(from, to)
  })

  test('nodes of the version before hear everything, and are heard', async () => {
    const { from, to } = await following(() => notifierAt(here))
    const calls: string[] = []
    const older = await strangerBy(way, (call) => calls.push(call))
    await older.send('want:0123abcd')
    await older.send('7:70')
    await expect.poll(() => from.heard).toContain('7:70')
    from.notifier.announce(9, 5, () => newsOf(5, ['for all']))
    await expect.poll(() => calls).toContain('9:5')
    const [, sealed = ''] = calls.flatMap((call) => /^9:5:([^:]+)$/.exec(call) ?? [])
    expect(secrets.open('news between nodes', [9, 5], sealed)).toContain('for all')

    const news = JSON.stringify(newsOf(71, ['of an older one']))
    await older.send(`7:71:${secrets.seal('news between nodes', [7, 71], news)}`)
    await expect.poll(() => to.news.join()).toContain('of an older one')
    await older.end()
    await closeAll(from, to)
  })

  test('news that waits outlasts a commit without entries, and is bounded', async () => {
    const { from, to } = await following(() => notifierAt(here))
    from.notifier.announce(7, 1, () => newsOf(1, ['of one commit']))
    from.notifier.announce(7, 1)
    await expect.poll(() => to.news.join()).toContain('of one commit')
    let asked = 0
    for (let id = 2; id <= 20_000; id++) {
      from.notifier.announce(7, id, () => {
        asked++
        return newsOf(id, ['one of many'])
      })
    }
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThanOrEqual(1_000)
    await expect.poll(() => to.heard).toContain('7:20000')
    await closeAll(from, to)
  })
})

test('while there is no line, no news is kept', async () => {
  const mortal = await NatsServer.start()
  const { from, to } = await following(() => newNotifier(here, mortal.url))
  await mortal.kill()
  await expect.poll(() => from.lost).not.toEqual([])
  let asked = 0
  from.notifier.announce(7, 500, () => {
    asked++
    return newsOf(500, ['unheard'])
  })
  expect(asked).toBe(0)
  await closeAll(from, to)
})

test('texts that are not calls are ignored', async () => {
  const { notifier, heard } = await listening(newNotifier(here, nats.url))
  const name = await nameOf(here.connections.read)
  const stranger = await connectToNats(nats.url, { name, hear: () => {} })
  const wild = [
    '',
    '7',
    '7:',
    ':7',
    '7:8:9',
    '-7:8',
    '7:8.5',
    '7:1e3',
    '7: 8',
    '0x7:8',
    'ü',
    '\0',
    '7:9\n',
    'NaN:NaN',
  ]
  for (const text of [...wild, `7:${'9'.repeat(400)}`, 'x'.repeat(100_000), '5:5']) stranger.publish(text)
  await expect.poll(() => heard).toContain('5:5')
  expect(new Set(heard)).toEqual(new Set(['1:1', '5:5']))
  stranger.end()
  await notifier.close()
})

test('of several servers, the next one is tried', async () => {
  const { notifier, heard, lost } = await listening(newNotifier(here, `nats://127.0.0.1:1,${nats.url}`))
  expect(heard).toContain('1:1')
  expect(lost).toHaveLength(1)
  await notifier.close()
})

test('each try that fails is told, without the password, and its end; what happens meanwhile is said later', async () => {
  const late = await NatsServer.start({ user: { name: 'rook', password: 's3cret' } })
  await late.kill()
  const url = late.url.replace('//', '//rook:s3cret@')
  const [{ notifier, lost, ends }, { notifier: other, heard }] = [
    newNotifier(here, url),
    newNotifier(here, url),
  ]
  notifier.announce(7, 300)
  await expect.poll(() => lost.length).toBeGreaterThan(1)
  expect(ends).toEqual([])
  expect(String(lost[0])).toContain('ECONNREFUSED')
  expect(String((lost[0] as Error).stack)).not.toContain('s3cret')
  await late.start()
  await expect.poll(() => heard).toContain('7:300')

  expect(ends).toEqual([lost.length])

  await late.kill()
  await expect.poll(() => lost.length).toBeGreaterThan(ends[0]!)
  notifier.announce(7, 301)
  await late.start()
  await expect.poll(() => heard).toContain('7:301')
  for (const one of [notifier, other]) await one.close()
  await late.kill()
})

test('a server that hangs does not prevent closing', async () => {
  const hanging = await NatsServer.start()
  const { notifier } = await listening(newNotifier(here, hanging.url))
  hanging.freeze()
  const { notifier: next } = newNotifier(here, hanging.url)
  for (const each of [notifier, next]) {
    each.announce(7, 400)
    await each.close()
  }
  await hanging.kill()
})

async function closeAll(...nodes: TestNotifier[]) {
  for (const { notifier } of nodes) await notifier.close()
}

/** Returns two nodes: the second one has heard news of the first one. */
async function following(start: () => TestNotifier) {
  const [from, to] = [await listening(start()), await listening(start())]
  const tells = () => {
    from.notifier.announce(7, 0, () => newsOf(0, ['the first']))
    expect(to.news).not.toEqual([])
  }
  await vi.waitFor(tells, { timeout: 20_000 })
  to.news.splice(1)
  return { from, to }
}

/** Connects another user of the database or of NATS. */
async function strangerBy(way: string, hear: (call: string) => void) {
  if (way === 'NATS') {
    const stranger = await connectToNats(nats.url, { name: await nameOf(here.connections.read), hear })
    stranger.subscribe('>')
    return {
      send: async (call: string) => stranger.publish(call),
      end: async () => stranger.end(),
    }
  }
  const client = new pg.Client({ connectionString: here.url })
  await client.connect()
  client.on('notification', ({ payload }) => hear(payload ?? ''))
  await client.query('LISTEN rookery; LISTEN rookery_7')
  return {
    send: (call: string) => client.query('SELECT pg_notify($1, $2)', ['rookery', call]),
    end: () => client.end(),
  }
}
