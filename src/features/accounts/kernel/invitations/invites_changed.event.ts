import type { ClientState, EventType } from '../../../../queues/event-type.ts'

type InvitesChanged = { type: 'invites_changed' }

/** The invitations that the listener may see are not the same any more. */
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

  // Whoever shows invitations fetches them anew: nothing of them is in the state.
  apply(_: ClientState, __: InvitesChanged) {},
} satisfies EventType<InvitesChanged>
