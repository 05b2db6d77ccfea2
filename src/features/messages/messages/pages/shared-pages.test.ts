import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { collectGarbage } from '../../../../../test/memory.ts'
import { RealmState } from '../../../../log/realm-state.ts'
import { messageLimits } from '../../../kernel/messages/limits.ts'
import { sharedPages } from './shared-pages.ts'

/** Nearly half of what an organization may keep. Random bytes do not become fewer by compression. */
const page = randomBytes(messageLimits.sharedPageBytes / 2 - 10_000)

/** Has an organization read pages, each as often as it takes to be kept. */
async function readPages(id: number, keys: string[]): Promise<RealmState> {
  const realm = new RealmState(id, () => 0)
  const pages = sharedPages(realm)
  for (const key of keys) {
    pages.get(key)
    await pages.get(key)?.chunk(page).deflated()
  }
  return realm
}

const has = (realm: RealmState, key: string) => sharedPages(realm).get(key) !== undefined

test('an organization keeps pages until they take what it may use, those that were used last', async () => {
  const realm = await readPages(1, ['one', 'two', 'three'])
  expect(['one', 'two', 'three'].map((key) => has(realm, key))).toEqual([false, true, true])
})

test('those of many organizations take the memory of a node, and those that were used last stay', async () => {
  collectGarbage()
  const before = process.memoryUsage().arrayBuffers
  const count = (1.5 * messageLimits.sharedPageBytesOfNode) / messageLimits.sharedPageBytes
  const ids = Array.from({ length: count }, (_, i) => i)
  const realms = await Promise.all(ids.map((id) => readPages(id, ['one', 'two'])))
  collectGarbage()
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1.1 * messageLimits.sharedPageBytesOfNode)
  expect(realms.every((realm) => has(realm, 'two'))).toBe(true)
  expect(realms.every((realm) => has(realm, 'one'))).toBe(false)
})
