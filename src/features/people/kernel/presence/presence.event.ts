import { must } from '../../../../lib/must.ts'
import type { PresenceEvent, Seen } from '../../../../log/presence.ts'
import type { EventType, Listener } from '../../../../queues/event-type.ts'
import { apiEmail } from '../../../kernel/users/user-view.ts'
import { canSeeUser } from '../../../kernel/users/user-visibility.ts'
import { applyPresence } from './presence.apply.ts'
import { type LegacyPresence, legacyPresence } from './presence-view.ts'

export type { PresenceEvent } from '../../../../log/presence.ts'

type OnWire = {
  type: 'presence'
  user_id: number
  email?: string
  server_timestamp: number
  presence: { website: LegacyPresence }
}

export function presenceOf(seen: Seen[], at?: number): PresenceEvent {
  const people = seen.map(({ userId, active, connected }): PresenceEvent['seen'][number] => [
    userId,
    active,
    connected,
  ])
  return { type: 'presence', seen: people, ...(at !== undefined && { at }) }
}

declare module '../../../../log/entry.ts' {
  interface Events {
    presence: PresenceEvent
  }
}

/**
 * A user has come online or hides their presence. The event is sent for one user at a time; entries for many users are
 * not for clients.
 */
export const presenceEvent = {
  type: 'presence',

  variant({ seen: [first] }, { state, me, queue }) {
    const user = first && state.users.get(first[0])
    if (!user || !canSeeUser(state, me, user)) return null
    // The email address may be hidden later.
    return queue.options.slimPresence ? 'slim' : `legacy as of ${state.users.version}`
  },

  wire({ seen: [first], at }, { state, site, queue }: Listener): OnWire {
    const [userId, active, connected] = must(first, 'user in the event')
    const website = legacyPresence({ userId, active, connected })
    return {
      type: 'presence',
      user_id: userId,
      ...(!queue.options.slimPresence && { email: apiEmail(state, site, state.users.require(userId)) }),
      server_timestamp: at ?? connected,
      presence: { website },
    }
  },

  apply: applyPresence,
} satisfies EventType<PresenceEvent, unknown, OnWire>
