import { z } from 'zod'
import { requireOwner } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { integer, json, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { auditKindWords, auditObjects } from '../../../log/audit/kinds.ts'
import { type AuditPosition, newestEntries } from './audit-query.ts'
import { entryFor, entrySchema } from './entry-view.ts'
import { auditLimits } from './limits.ts'
import { auditDays } from './retention.ts'

export const getAuditLog = query('GET /rookery/audit_log', {
  summary: 'List administrative changes and logins, the newest first',
  rank: 'heavy',
  access: requireOwner,
  params: {
    kind: text({ oneOf: auditKindWords }).optional(),
    object: text({ oneOf: auditObjects }).optional(),
    object_id: integer().optional(),
    actor_id: integer().optional(),
    since: integer().optional(),
    until: integer().optional(),
    cursor: text({ max: 28 }).documentedAs({ pattern: '^[0-9]{1,12}[.][0-9]{1,15}$' }).optional(),
    limit: json(z.int().min(1).max(auditLimits.auditEntriesPerPage)).default(
      auditLimits.auditEntriesByDefault,
    ),
  },
  returns: {
    entries: z.array(entrySchema),
    /** The parameter `cursor` for the entries that follow; null if there are none. */
    next_cursor: z.string().nullable(),
    retention_days: z.int().nullable(),
  },
  async handle({ realm, site, me, params, read }) {
    const { kind, object, object_id: objectId, actor_id: actorId, since, until, limit } = params
    const filter = { kind, object, objectId, actorId, since, until }
    const before = params.cursor === undefined ? undefined : positionOf(params.cursor)
    const rows = await read.rows(newestEntries(realm.id, filter, limit + 1, before))
    const entries = rows.slice(0, limit)
    const last = rows.length > limit ? entries.at(-1) : undefined
    return {
      entries: entries.map((entry) => entryFor(realm, site, me, entry)),
      next_cursor: last ? `${last.at}.${last.id}` : null,
      retention_days: auditDays(realm),
    }
  },
})

function positionOf(cursor: string): AuditPosition {
  const [, at, id] = /^(\d{1,12})\.(\d{1,15})$/.exec(cursor) ?? []
  if (at === undefined) throw badRequest('Invalid cursor')
  return { at: Number(at), id: Number(id) }
}
