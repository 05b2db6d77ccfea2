import { z } from 'zod'
import type { LinkifierRow } from '../../../db/schema.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { derived } from '../../../log/derived.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** A linkifier on the wire: a pattern in RE2 syntax, and an RFC 6570 template that uses its named groups. */
export const linkifierSchema = z.object({ pattern: z.string(), url_template: z.string(), id: z.int() })

export type LinkifierView = z.infer<typeof linkifierSchema>

/** Returns the linkifiers in the order in which they are tried. Cached, because every message needs them. */
export const linkifiersOf = derived(
  (realm) => realm.linkifiers.version,
  (realm): readonly LinkifierView[] =>
    [...realm.linkifiers.values()]
      .sort((a, b) => a.place - b.place)
      .map(({ pattern, url_template, id }) => ({ pattern, url_template, id })),
)

/** Returns the linkifier with this id; throws 400 if it does not exist. */
export function linkifierById(realm: RealmState, id: number): LinkifierRow {
  const row = realm.linkifiers.get(id)
  if (!row) throw badRequest('Linkifier not found.')
  return row
}
