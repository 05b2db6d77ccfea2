import { leavesState } from '../../../../queues/client-state.ts'
import type { EventType } from '../../../../queues/event-type.ts'

type InvitesChanged = { type: 'invites_changed' }

/** Reports that the invitations visible to the client have changed. */
export function invitesChanged(): InvitesChanged {
  return { type: 'invites_changed' }
}

declare module '../../../../log/entry.ts' {
  interface Events {
    invites_changed: InvitesChanged
  }
}

export const invitesChangedEvent = {
  type: 'invites_changed',

  // Clients that show invitations fetch them again. The state contains none.
  apply: leavesState,
} satisfies EventType<InvitesChanged>
