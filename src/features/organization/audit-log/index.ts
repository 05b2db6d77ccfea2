import { getAuditLog } from './get-audit-log.ts'
import { updateAuditLog } from './update-audit-log.ts'

export const endpoints = [getAuditLog, updateAuditLog]
