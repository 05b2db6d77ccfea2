import { badRequest } from '../../../lib/api-error.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { auditLimits } from './limits.ts'

declare module '../../../db/values.ts' {
  interface StoredRealmSettings {
    /** Days after which entries of the audit log are removed (src/log/prune.ts); null: never. */
    audit_log_retention_days: number | null
  }
}

/** How many days the organization keeps its audit log; null: forever. */
export function auditDays({ row }: RealmState): number | null {
  return row.settings.audit_log_retention_days ?? null
}

/** Sets for how many days the audit log is kept; null: forever. Throws 400 for too few or too many. */
export async function keepAuditLog(change: Change, days: number | null) {
  const { auditDaysAtLeast: least, auditDaysAtMost: most } = auditLimits
  if (days !== null && (days < least || days > most)) {
    throw badRequest(`retention_days must be from ${least} to ${most}, or null`)
  }
  const { id, settings } = change.state.row
  if (auditDays(change.state) === days) return
  await change.update('realm', { id, settings: { ...settings, audit_log_retention_days: days } })
}
