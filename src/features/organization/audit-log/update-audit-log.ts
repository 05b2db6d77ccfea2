import { z } from 'zod'
import { requireOwner } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { json } from '../../../http/params.ts'
import { auditLimits } from './limits.ts'
import { keepAuditLog } from './retention.ts'

export const updateAuditLog = command('PATCH /rookery/audit_log', {
  summary: 'Set for how many days the audit log is kept; null means forever',
  access: requireOwner,
  params: {
    retention_days: json(z.int().nullable()).documentedAs({
      anyOf: [
        { type: 'integer', minimum: auditLimits.auditDaysAtLeast, maximum: auditLimits.auditDaysAtMost },
        { type: 'null' },
      ],
    }),
  },
  returns: {},
  async handle({ params, commit }) {
    await commit((change) => keepAuditLog(change, params.retention_days))
    return {}
  },
})
