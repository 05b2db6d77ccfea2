import type { AccountRow } from '../../db/schema.ts'
import type { Site } from '../../lib/site.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { type MessageFormat, messageView } from './message-view.ts'
import { flagsFor, type ShownMessage } from './queries.ts'

/** A message as one reader gets it, with their flags. */
export function readerView(
  realm: RealmState,
  site: Site,
  me: AccountRow,
  message: ShownMessage,
  format: MessageFormat,
) {
  return { ...messageView(realm, site, message, me, format), flags: flagsFor(realm, me, message) }
}
