import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { NatsServer } from '../../../test/programs/nats-server.ts'
import { testServer } from '../../../test/test-server.ts'

const nats = await NatsServer.start()
const server = testServer({ natsUrl: nats.url })
const { organization, anotherNode } = server

afterAll(() => nats.kill())

/** A node that only polls needs two seconds if it has just polled. */
const momentMs = 1_000

/** The milliseconds of a quick one of several: one may be quick by chance, and some slow on a busy machine. */
async function quick(send: () => Promise<number>) {
  const times: number[] = []
  for (let i = 0; i < 5; i++) times.push(await send())
  return times.toSorted((a, b) => a - b)[1]!
}

test('a client that waits at one node immediately receives messages sent at another, without NOTIFY', async () => {
  const { send } = await twoNodes()
  const { read } = server.node.app.realms.connections
  const listeners = sql`SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'rookery wake'`
  expect(await read.rows(listeners)).toEqual([])
  expect(await quick(send)).toBeLessThan(momentMs)
})

test('while NATS is unavailable events arrive later, and immediately when it is back', async () => {
  const { send } = await twoNodes()
  await nats.kill()
  for (let i = 0; i < 2; i++) await send()

  // A node that starts meanwhile is no worse than the others.
  const { send: sendToLate } = await twoNodes()
  await sendToLate()

  await nats.start()
  for (const each of [send, sendToLate]) {
    await expect.poll(() => quick(each), { timeout: 60_000 }).toBeLessThan(momentMs)
  }
})

/** Sends a message at one node to a client waiting at another, and returns how many milliseconds that took. */
async function twoNodes() {
  const { owner, place } = await organization()
  const there = owner.at({ ...place, port: (await anotherNode()).port })
  const client = await there.register({ event_types: ['message'] })
  await owner.post('/messages', { type: 'direct', to: [owner.id], content: 'first' })
  await client.next()
  return {
    async send() {
      const waiting = client.next()
      await new Promise((resolve) => setTimeout(resolve, 50))
      const started = Date.now()
      const { body } = await owner.post('/messages', { type: 'direct', to: [owner.id], content: 'over here' })
      expect(await waiting).toMatchObject([{ type: 'message', message: { id: body.id } }])
      return Date.now() - started
    },
  }
}
