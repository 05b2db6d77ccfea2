import { leavesState } from '../../../queues/client-state.ts'
import type { EventType } from '../../../queues/event-type.ts'
import type { ExportView } from './exports.ts'

type RealmExportEvent = { type: 'realm_export'; exports: ExportView[] }

export function realmExportsChanged(exports: ExportView[]): RealmExportEvent {
  return { type: 'realm_export', exports }
}

declare module '../../../log/entry.ts' {
  interface Events {
    realm_export: RealmExportEvent
  }
}

/** The complete list of the organization's exports. */
export const realmExportEvent = {
  type: 'realm_export',

  // POST /register does not contain them; clients that show them call GET /export/realm first.
  apply: leavesState,
} satisfies EventType<RealmExportEvent>
