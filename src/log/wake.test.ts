import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newDatabase } from '../../test/database.ts'
import { NatsServer } from '../../test/nats-server.ts'
import { connectToNats } from '../adapters/nats.ts'
import { type Connections, connect } from '../db/database.ts'
import { createNodeNotifier } from './create-node-notifier.ts'
import type { NodeNotifier } from './node-notifier.ts'
import { nameOf } from './notify-by-nats.ts'

type Place = { url: string; connections: Connections; drop(): Promise<void> }

let nats: NatsServer
let here: Place
let elsewhere: Place

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
  const wakeAt = (place: Place) => newWake(place, way === 'NATS' ? nats.url : undefined)

  test('a node that announces something and closes immediately is heard', async () => {
    const { wake: staying, heard } = await listening(wakeAt(here))
    const { wake: passing } = wakeAt(here)
    passing.announce(7, 41)
    passing.announce(7, 42)
    passing.announce(8, 3)
    await passing.close()
    await vi.waitFor(() => expect(heard).toEqual(expect.arrayContaining(['7:42', '8:3'])), {
      timeout: 20_000,
    })
    expect(heard).not.toContain('7:41')
    await staying.close()
  })

  test('nodes on different databases do not hear each other', async () => {
    const first = await listening(wakeAt(here))
    const second = await listening(wakeAt(here))
    const other = await listening(wakeAt(elsewhere))
    first.wake.announce(7, 100)
    other.wake.announce(7, 200)
    await vi.waitFor(() => expect(second.heard).toContain('7:100'), { timeout: 20_000 })
    await vi.waitFor(() => expect(other.heard).toContain('7:200'), { timeout: 20_000 })
    expect(other.heard).not.toContain('7:100')
    expect([...first.heard, ...second.heard]).not.toContain('7:200')
    for (const { wake } of [first, second, other]) await wake.close()
  })
})

test('texts that are not calls are ignored', async () => {
  const { wake, heard } = await listening(newWake(here, nats.url))
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
  await vi.waitFor(() => expect(heard).toContain('5:5'), { timeout: 20_000 })
  expect(new Set(heard)).toEqual(new Set(['1:1', '5:5']))
  stranger.end()
  await wake.close()
})

test('of several servers, the next one is tried', async () => {
  const { wake, heard, lost } = await listening(newWake(here, `nats://127.0.0.1:1,${nats.url}`))
  expect(heard).toContain('1:1')
  expect(lost).toHaveLength(1)
  await wake.close()
})

test('that a server cannot be had is told once, without the password; what happens meanwhile is said later', async () => {
  const late = await NatsServer.start({ user: { name: 'rook', password: 's3cret' } })
  await late.kill()
  const { wake, heard, lost } = newWake(here, late.url.replace('//', '//rook:s3cret@'))
  wake.announce(7, 300)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(lost).toHaveLength(1)
  expect(String(lost[0])).toContain('ECONNREFUSED')
  expect(String((lost[0] as Error).stack)).not.toContain('s3cret')
  await late.start()
  await vi.waitFor(() => expect(heard).toContain('7:300'), { timeout: 20_000 })

  await late.kill()
  await vi.waitFor(() => expect(lost).toHaveLength(2), { timeout: 20_000 })
  wake.announce(7, 301)
  await late.start()
  await vi.waitFor(() => expect(heard).toContain('7:301'), { timeout: 20_000 })
  await wake.close()
  await late.kill()
})

test('a server that hangs does not prevent closing', async () => {
  const hanging = await NatsServer.start()
  const { wake } = await listening(newWake(here, hanging.url))
  hanging.freeze()
  const { wake: next } = newWake(here, hanging.url)
  const started = Date.now()
  for (const each of [wake, next]) {
    each.announce(7, 400)
    await each.close()
  }
  expect(Date.now() - started).toBeLessThan(4_000)
  await hanging.kill()
})

async function newPlace(): Promise<Place> {
  const { url, drop } = await newDatabase()
  return { url, drop, connections: connect(url, 3) }
}

function newWake({ url, connections }: Place, natsUrl: string | undefined) {
  const heard: string[] = []
  const lost: unknown[] = []
  const wake = createNodeNotifier({ databaseUrl: url, natsUrl }, connections, (error) => lost.push(error))
  wake.listen((realmId, lastEventId) => heard.push(`${realmId}:${lastEventId}`))
  return { wake, heard, lost }
}

/** Waits until it receives its own calls, and so is listening. */
async function listening<T extends { wake: NodeNotifier; heard: string[] }>(one: T): Promise<T> {
  const hears = () => {
    one.wake.announce(1, 1)
    expect(one.heard).toContain('1:1')
  }
  await vi.waitFor(hears, { timeout: 20_000 })
  return one
}
