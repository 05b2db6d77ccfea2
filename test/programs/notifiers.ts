import { expect, vi } from 'vitest'
import { type Connections, connect } from '../../src/db/database.ts'
import { Secrets } from '../../src/lib/secrets/sealed.ts'
import { createNodeNotifier } from '../../src/log/nodes/create-node-notifier.ts'
import type { LogNews } from '../../src/log/nodes/news.ts'
import { newDatabase } from '../runner/database.ts'

/** A database on which nodes notify each other. */
export type NotifiedPlace = { url: string; connections: Connections; drop(): Promise<void> }

export async function newPlace(): Promise<NotifiedPlace> {
  const { url, drop } = await newDatabase()
  return { url, drop, connections: connect(url, 3) }
}

/** All nodes have the same secrets. */
export const secrets = new Secrets('the secret of all nodes of a test')

/** A notifier with lists of what it has heard, and of the errors with which it has lost its line. */
export type TestNotifier = ReturnType<typeof newNotifier>

/** Returns a notifier that follows some organizations. */
export function newNotifier(place: NotifiedPlace, natsUrl: string | undefined) {
  const { url, connections } = place
  const heard: string[] = []
  const lost: unknown[] = []
  /** How many errors there were when it had a line again, each time. */
  const ends: number[] = []
  const watcher = { lost: (error: unknown) => lost.push(error), back: () => ends.push(lost.length) }
  const notifier = createNodeNotifier({ databaseUrl: url, natsUrl, secrets }, connections, watcher)
  const news: string[] = []
  notifier.listen((realmId, lastEventId, text) => {
    const opened = text?.open()
    if (text && opened === undefined) return
    heard.push(`${realmId}:${lastEventId}`)
    if (opened !== undefined) news.push(opened)
  })
  for (const realmId of [1, 5, 7, 8]) void notifier.follow(realmId)
  return { notifier, heard, lost, ends, news, place, natsUrl }
}

/** Returns news of entries with these bodies. */
export function newsOf(id: number, texts: string[]): LogNews {
  const entry = (body: string, i: number) => ({
    id: id + i,
    stamp: 1,
    type: 'message',
    rows: null,
    event: null,
    body,
  })
  const entries = texts.map(entry) as LogNews['entries']
  return {
    database: 'main',
    after: { id: id - 1, stamp: 1 },
    epoch: '0b7c3f5e-0000-4000-8000-000000000000',
    lastMessageId: 0,
    entries,
  }
}

/** Waits until the notifier hears and is heard. */
export async function listening(one: TestNotifier): Promise<TestNotifier> {
  const other = newNotifier(one.place, one.natsUrl)
  const hear = () => {
    for (const { notifier } of [one, other]) notifier.announce(1, 1)
    for (const { heard } of [one, other]) expect(heard).toContain('1:1')
  }
  await vi.waitFor(hear, { timeout: 20_000 })
  await other.notifier.close()
  return one
}
