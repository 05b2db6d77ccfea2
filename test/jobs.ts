import { sql } from 'kysely'
import { onTestFinished, vi } from 'vitest'
import type { JobRow } from '../src/db/schema.ts'
import type { Organization } from './organization.ts'
import type { TestServer } from './test-server.ts'
import { withResolvers } from './with-resolvers.ts'

/** Returns the jobs of a kind that an organization has. */
export function jobsOf({ log, id }: Organization, kind: string): Promise<JobRow[]> {
  return log.commit((change) =>
    change.run(sql<JobRow>`SELECT * FROM job WHERE realm_id = ${id} AND kind = ${kind}`),
  )
}

/**
 * Lets time pass until the next job of the organization begins, and some seconds more before it writes: fewer than those for
 * which a node owns a job. Then does what is due. Returns the latest time at which the job may have begun.
 */
export async function runAcross(
  all: TestServer,
  { log }: Organization,
  { pause, seconds }: { pause: number; seconds: number },
): Promise<number> {
  await all.workOff()
  const [begun, held] = [withResolvers(), withResolvers()]
  onTestFinished(held.resolve)
  const commitIn = log.commitIn.bind(log)
  const commits = vi.spyOn(log, 'commitIn').mockImplementation(async (epoch, work, actor) => {
    begun.resolve()
    await held.promise
    return commitIn(epoch, work, actor)
  })
  all.pass(pause)
  await begun.promise
  const latest = all.node.site.clock()
  all.pass(seconds)
  commits.mockRestore()
  held.resolve()
  await all.workOff()
  return latest
}
