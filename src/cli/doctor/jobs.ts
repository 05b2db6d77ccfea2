import type pg from 'pg'
import type { Config } from '../../config/config.ts'
import { allJobHandlers } from '../../features/index.ts'
import { deliveryJob } from '../../features/kernel/mail/queue-mail.ts'
import { adaptersOf } from '../context.ts'
import type { Finding } from './checks.ts'

type Stuck = { kind: string; late: number; parked: number; error: string | null }

/** Jobs that have been due for ten minutes, and those that were given up in the last week. */
const stuckQuery = `
  SELECT j.kind,
    count(*) FILTER (WHERE parked_at IS NULL AND due_at < now - 600)::int AS late,
    count(*) FILTER (WHERE parked_at > now - 604800)::int AS parked,
    min(error) FILTER (WHERE error IS NOT NULL) AS error
  FROM job j JOIN realm r ON r.id = j.realm_id, extract(epoch FROM clock_timestamp()) AS now
  WHERE NOT r.is_deactivated AND j.kind = ANY ($1) AND (parked_at > now - 604800 OR parked_at IS NULL AND due_at < now - 600)
  GROUP BY j.kind ORDER BY j.kind`

/** Checks whether work is left undone. Mails have a check of their own. */
export async function checkJobs(client: pg.Client, config: Config): Promise<Finding[]> {
  const adapters = adaptersOf(config)
  const kinds = allJobHandlers
    .filter(({ kind, isPossible }) => kind !== deliveryJob && (isPossible?.(adapters) ?? true))
    .map(({ kind }) => kind)
  const { rows } = await client.query<Stuck>(stuckQuery, [kinds])
  if (rows.length === 0) return [{ level: 'ok', what: 'no work in the background is stuck' }]
  return rows.map(({ kind, late, parked, error }) => ({
    level: 'warn',
    what: `work of the kind ${kind}: ${late} late, ${parked} given up this week${error ? `: ${error}` : ''}`,
    advice: 'See that a server runs, and what its log says.',
  }))
}
