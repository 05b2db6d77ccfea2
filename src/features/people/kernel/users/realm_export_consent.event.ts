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

/** Whether somebody lets administrators export what is private to them. */
export const realmExportConsentEvent = {
  type: 'realm_export_consent',

  // POST /register says nothing of it.
  apply() {},
} satisfies EventType<ConsentEvent>
