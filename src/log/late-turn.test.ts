import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testServer } from '../../test/test-server.ts'
import { withResolvers } from '../../test/with-resolvers.ts'
import { Databases } from '../db/databases.ts'
import { databaseLimits } from '../db/limits.ts'
import type { NodeNotifier } from './nodes/node-notifier.ts'
import { Realms } from './realms.ts'

const server = testServer()

/** A node that hears what the test tells it, and whether it has opened the news. */
function listeningNode() {
  const listeners: Parameters<NodeNotifier['listen']>[0][] = []
  const databases = Databases.connect({ databaseUrl: server.databaseUrl }, 2)
  const notifier: NodeNotifier = {
    announce() {},
    listen: (listener) => listeners.push(listener),
    follow: async () => {},
    unfollow() {},
    close: async () => {},
  }
  const realms = new Realms(databases, notifier, { clock: () => 0, consequences: [] })
  onTestFinished(async () => {
    await realms.close()
    await databases.close()
  })
  const tell = (realmId: number, lastEventId: number) => {
    const open = vi.fn(() => undefined)
    for (const listener of listeners) listener(realmId, lastEventId, { open })
    return open
  }
  return { realms, tell }
}

test('a node takes news again after its turn for earlier news came too late', async () => {
  const { id } = await server.organization()
  const { realms, tell } = listeningNode()
  const log = await realms.byId(id)
  const { position } = log.state
  const [begun, held] = [withResolvers(), withResolvers()]
  const holding = log.commit(() => {
    begun.resolve()
    return held.promise
  })
  await begun.promise
  const late = tell(id, position + 1)
  // It takes its place behind the change.
  await setImmediate()
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now')
  clock.mockImplementation(() => now + databaseLimits.turnSeconds * 1000 + 1)
  held.resolve()
  await holding
  await log.catchUpIfBehind().catch(() => {})
  clock.mockRestore()
  expect(late).not.toHaveBeenCalled()
  const next = tell(id, position + 2)
  await vi.waitFor(() => expect(next).toHaveBeenCalledOnce(), { timeout: 20_000 })
})
