import { sql } from 'kysely'
import type { JobRow } from '../src/db/schema.ts'
import type { Organization } from './organization.ts'

/** Returns the jobs of a kind that an organization has. */
export function jobsOf({ log, id }: Organization, kind: string): Promise<JobRow[]> {
  return log.commit((change) =>
    change.run(sql<JobRow>`SELECT * FROM job WHERE realm_id = ${id} AND kind = ${kind}`),
  )
}
