import type { ClientState, EventType } from '../../../queues/event-type.ts'
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

/** All exports of the organization, as they are now. */
export const realmExportEvent = {
  type: 'realm_export',

  // POST /register says nothing of them; whoever shows them asks GET /export/realm first.
  apply(_: ClientState, __: RealmExportEvent) {},
} satisfies EventType<RealmExportEvent>
