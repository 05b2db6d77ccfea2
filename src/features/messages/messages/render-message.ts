import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { realmUrl } from '../../../lib/site.ts'
import { render } from '../../../markdown/render.ts'
import { messageLimits } from '../../kernel/messages/limits.ts'
import { markdownLookup } from '../../kernel/messages/markdown-lookup.ts'
import { withinLength } from '../../kernel/messages/message-text.ts'
import { linkTargets } from '../kernel/uploads/link-targets.ts'

export const renderMessage = query('POST /messages/render', {
  summary: 'Render message content without sending it',
  access: requireUser,
  params: { content: text() },
  returns: { rendered: z.string() },
  async handle(context) {
    const { realm, me, params, site } = context
    // A text that is too long for a message is shown whole, so that its author sees it, up to twice that length.
    const content = withinLength(params.content, 2 * messageLimits.messageLength)
    // Whether a page is known already would tell that others have linked to it.
    const { linkPreview: _, ...targets } = await linkTargets(context, content)
    const lookup = markdownLookup(realm, realmUrl(site, realm.row), me)
    const { html } = render(content, { ...lookup, ...targets })
    return { rendered: isStillEmpty(content) ? '' : html }
  },
})

/** Returns whether the text has only code fences so far. Clients then report that there is nothing to preview. */
function isStillEmpty(content: string): boolean {
  return content.split('\n').every((line) => /^(?:`{3,}|~{3,})?\s*$/.test(line))
}
