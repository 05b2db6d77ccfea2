import type { PlaygroundRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** A playground as it is on the wire. */
function playgroundView({ id, name, language, url_template }: PlaygroundRow) {
  return { id, name, pygments_language: language, url_template }
}

export type PlaygroundView = ReturnType<typeof playgroundView>

/** Returns all code playgrounds, oldest first. */
export function playgroundsOf(realm: RealmState): PlaygroundView[] {
  return [...realm.playgrounds.values()].sort((a, b) => a.id - b.id).map(playgroundView)
}
