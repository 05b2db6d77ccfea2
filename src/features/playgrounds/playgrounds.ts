import type { PlaygroundRow } from '../../db/schema.ts'
import type { Change } from '../../log/change.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { playgroundsChanged } from './realm_playgrounds.event.ts'

/** A playground as it is on the wire. */
function playgroundView({ id, name, language, url_template }: PlaygroundRow) {
  return { id, name, pygments_language: language, url_template }
}

export type PlaygroundView = ReturnType<typeof playgroundView>

/** Where code can be tried out: all of it, the oldest first. */
export function playgroundsOf(realm: RealmState): PlaygroundView[] {
  return [...realm.playgrounds.values()].sort((a, b) => a.id - b.id).map(playgroundView)
}

/** Tells everybody of all playgrounds as this change leaves them. */
export function tellOfPlaygrounds(change: Change) {
  change.emit(playgroundsChanged(change.ahead(playgroundsOf)), { everyone: true })
}
