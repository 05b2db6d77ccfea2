import { z } from 'zod'
import { requireAdministrator } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { emptyLookup } from '../../../markdown/lookup.ts'
import { linkifierLinks } from '../../../markdown/render.ts'
import { linkifierLimits } from './limits.ts'
import { checkSyntax, linkifierParams } from './rules.ts'

export const previewLinkifier = query('POST /rookery/linkifier_preview', {
  summary: 'Show the links that a linkifier would make in a text, without saving it',
  access: requireAdministrator,
  params: { ...linkifierParams, content: text({ max: linkifierLimits.linkifierPreviewLength }) },
  returns: { links: z.array(z.object({ text: z.string(), url: z.string() })) },
  async handle({ params: { content, ...linkifier } }) {
    checkSyntax(linkifier)
    return { links: linkifierLinks(content, { ...emptyLookup, linkifiers: [linkifier] }) }
  },
})
