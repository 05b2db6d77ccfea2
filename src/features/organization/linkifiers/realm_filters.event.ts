import { leavesState } from '../../../queues/client-state.ts'
import type { EventType } from '../../../queues/event-type.ts'

type RealmFiltersEvent = { type: 'realm_filters'; realm_filters: never[] }

export function realmFiltersChanged(): RealmFiltersEvent {
  return { type: 'realm_filters', realm_filters: [] }
}

declare module '../../../log/entry.ts' {
  interface Events {
    realm_filters: RealmFiltersEvent
  }
}

/**
 * The older form of linkifiers, for clients that request it by name. It cannot express the current ones, so the list is
 * always empty (level 176).
 */
export const realmFiltersEvent = {
  type: 'realm_filters',

  variant(_event, { queue }) {
    return queue.options.eventTypes?.includes('realm_filters') ? '' : null
  },

  // The list was empty, and stays empty.
  apply: leavesState,
} satisfies EventType<RealmFiltersEvent>
