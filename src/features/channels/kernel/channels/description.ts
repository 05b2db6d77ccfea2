import type { CallerContext } from '../../../../http/endpoint.ts'
import { realmUrl } from '../../../../lib/site.ts'
import { renderDescription } from '../../../../markdown/render.ts'
import { markdownLookup } from '../../../kernel/messages/markdown-lookup.ts'

/**
 * Returns the description of a channel or a folder as HTML. It can mention and link to whatever a message of its writer
 * could.
 */
export function renderedDescription({ realm, site, me }: CallerContext, description: string): string {
  return renderDescription(description, markdownLookup(realm, realmUrl(site, realm.row), me))
}
