import type { ClientState, EventType } from '../../../queues/event-type.ts'
import type { PlaygroundView } from './playgrounds.ts'

type RealmPlaygroundsEvent = { type: 'realm_playgrounds'; realm_playgrounds: PlaygroundView[] }

export function playgroundsChanged(playgrounds: PlaygroundView[]): RealmPlaygroundsEvent {
  return { type: 'realm_playgrounds', realm_playgrounds: playgrounds }
}

declare module '../../../log/entry.ts' {
  interface Events {
    realm_playgrounds: RealmPlaygroundsEvent
  }
}

/** The complete list of code playgrounds. */
export const realmPlaygroundsEvent = {
  type: 'realm_playgrounds',

  apply(state: ClientState, { realm_playgrounds }: RealmPlaygroundsEvent) {
    if (state.realm_playgrounds) state.realm_playgrounds = realm_playgrounds
  },
} satisfies EventType<RealmPlaygroundsEvent>
