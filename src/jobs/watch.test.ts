import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testServer } from '../../test/test-server.ts'
import { watch } from './watch.ts'

const all = testServer()

test('organizations are looked after one after the other, and the failure of one holds up no other', async () => {
  const [bad, good] = [await all.organization(), await all.organization()]
  const behind = sql<{ realm_id: number }>`
    SELECT id AS realm_id FROM realm WHERE id IN (${bad.id}, ${good.id}) ORDER BY id`
  const [done, errors]: [number[], unknown[]] = [[], []]
  const { realms } = all.node.app
  const watching = watch(
    realms,
    {
      seconds: 0.02,
      behind,
      async step({ state }) {
        if (state.id === bad.id) throw new Error('It cannot be done.')
        done.push(state.id)
        return done.length < 3
      },
    },
    all.node.site.clock,
    (error) => errors.push(error),
  )
  await expect.poll(() => done.length).toBeGreaterThan(2)
  await watching.close()
  expect(new Set(done)).toEqual(new Set([good.id]))
  expect(errors[0]).toEqual(new Error('It cannot be done.'))
})
