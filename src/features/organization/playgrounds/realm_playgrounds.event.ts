import type { EventType } from '../../../queues/event-type.ts'
import type { PlaygroundView } from './playgrounds.ts'
import { applyRealmPlaygrounds } from './realm_playgrounds.apply.ts'

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

  apply: applyRealmPlaygrounds,
} satisfies EventType<RealmPlaygroundsEvent>
