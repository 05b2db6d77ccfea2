import { deleteRealmExport } from './delete-realm-export.ts'
import { downloadExport } from './download-export.ts'
import { exportOwnData } from './export-own-data.ts'
import { exportRealm } from './export-realm.ts'
import { getExportConsents } from './get-export-consents.ts'
import { getOwnExports } from './get-own-exports.ts'
import { getRealmExports } from './get-realm-exports.ts'
import { exporting } from './make-export.ts'
import { realmExportEvent } from './realm_export.event.ts'

export const endpoints = [
  deleteRealmExport,
  downloadExport,
  exportOwnData,
  exportRealm,
  getExportConsents,
  getOwnExports,
  getRealmExports,
]

export const eventTypes = [realmExportEvent]

export const jobHandlers = [exporting]
