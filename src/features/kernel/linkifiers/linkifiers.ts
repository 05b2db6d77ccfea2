import { z } from 'zod'
import type { LinkifierRow } from '../../../db/schema.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** A linkifier on the wire: a pattern in RE2's syntax, and an RFC 6570 template of its named groups. */
export const linkifierSchema = z.object({ pattern: z.string(), url_template: z.string(), id: z.int() })

export type LinkifierView = z.infer<typeof linkifierSchema>

type Made = { version: number; views: readonly LinkifierView[] }

const made = new WeakMap<RealmState, Made>()

/** What becomes a link by itself here, in the order in which it is tried. Every message asks. */
export function linkifiersOf(realm: RealmState): readonly LinkifierView[] {
  const { version } = realm.linkifiers
  const known = made.get(realm)
  if (known?.version === version) return known.views
  const rows = [...realm.linkifiers.values()].sort((a, b) => a.place - b.place)
  const views = rows.map(({ pattern, url_template, id }) => ({ pattern, url_template, id }))
  made.set(realm, { version, views })
  return views
}

/** The linkifier with this id; 400 if there is none. */
export function linkifierById(realm: RealmState, id: number): LinkifierRow {
  const row = realm.linkifiers.get(id)
  if (!row) throw badRequest('Linkifier not found.')
  return row
}
