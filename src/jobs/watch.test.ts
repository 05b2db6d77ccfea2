import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newOrganization } from '../../test/organization.ts'
import { severalDatabases } from '../../test/processes/several-databases.ts'
import { watch } from './watch.ts'

const { all, block } = severalDatabases()

/** Returns the query that finds these organizations. */
function findAmong(...ids: number[]) {
  return sql<{ realm_id: number }>`
    SELECT id AS realm_id FROM realm WHERE id IN (${sql.join(ids)}) ORDER BY id`
}

test('organizations are looked after one after the other, and the failure of one holds up no other', async () => {
  const [bad, good] = [await all.organization(), await all.organization()]
  const [done, errors]: [number[], unknown[]] = [[], []]
  const { realms } = all.node.app
  const watching = watch(
    realms,
    {
      seconds: 0.02,
      behind: findAmong(bad.id, good.id),
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

test('a database that does not respond holds up only its own organizations', async () => {
  const [here, there] = [await all.organization(), await newOrganization(all.node, 'there', 'second')]
  const hold = await block('second', 'LOCK TABLE realm IN ACCESS EXCLUSIVE MODE')
  const [done, errors]: [number[], unknown[]] = [[], []]
  const { realms } = all.node.app
  const watching = watch(
    realms,
    {
      seconds: 0.02,
      behind: findAmong(here.id, there.id),
      async step({ state }) {
        done.push(state.id)
        return false
      },
    },
    all.node.site.clock,
    (error) => errors.push(error),
  )
  // Each statement that waits for the lock ends with an error. If the others waited too, none would get ahead of these.
  await expect.poll(() => done.length - errors.length).toBeGreaterThan(2)
  expect(new Set(done)).toEqual(new Set([here.id]))
  await hold.release()
  await expect.poll(() => done).toContain(there.id)
  await watching.close()
})
