import { z } from 'zod'
import { user } from '../../http/access.ts'
import { query } from '../../http/endpoint.ts'
import { text } from '../../http/params.ts'
import { realmUrl } from '../../lib/site.ts'
import { render } from '../../markdown/render.ts'
import { markdownLookup } from './markdown-lookup.ts'
import { withinLength } from './text.ts'

export const renderMessage = query('POST /messages/render', {
  summary: 'Render a message without sending it',
  access: user,
  params: { content: text() },
  returns: { rendered: z.string() },
  async handle({ realm, me, params, site }) {
    const { html } = render(
      withinLength(params.content),
      markdownLookup(realm, realmUrl(site, realm.realm), me),
    )
    return { rendered: html }
  },
})
