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

/** The older form of linkifiers, for clients that ask for it by name. It cannot express any (level 176). */
export const realmFiltersEvent = {
  type: 'realm_filters',

  variant(_event, { queue }) {
    return queue.options.eventTypes?.includes('realm_filters') ? '' : null
  },

  // There were none, and there are none.
  apply() {},
} satisfies EventType<RealmFiltersEvent>
