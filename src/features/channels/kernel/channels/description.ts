import type { AccountRow } from '../../../../db/schema.ts'
import { realmUrl, type Site } from '../../../../lib/site.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { renderDescription } from '../../../../markdown/render.ts'
import { markdownLookup } from '../../../kernel/messages/markdown-lookup.ts'

/**
 * Returns the description of a channel or a folder as HTML. It can mention and link to whatever a message of its writer
 * could.
 */
export function renderedDescription(
  { realm, site, me }: { realm: RealmState; site: Site; me: AccountRow },
  description: string,
): string {
  return renderDescription(description, markdownLookup(realm, realmUrl(site, realm.realm), me))
}
