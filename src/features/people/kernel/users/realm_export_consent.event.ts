import { leavesState } from '../../../../queues/client-state.ts'
import type { EventType } from '../../../../queues/event-type.ts'

type ConsentEvent = { type: 'realm_export_consent'; user_id: number; consented: boolean }

export function exportConsent(user_id: number, consented: boolean): ConsentEvent {
  return { type: 'realm_export_consent', user_id, consented }
}

declare module '../../../../log/entry.ts' {
  interface Events {
    realm_export_consent: ConsentEvent
  }
}

/** A user has changed whether administrators may export their private data. */
export const realmExportConsentEvent = {
  type: 'realm_export_consent',

  // POST /register does not contain it.
  apply: leavesState,
} satisfies EventType<ConsentEvent>
