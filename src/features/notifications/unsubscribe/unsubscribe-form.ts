import { allowAnonymous } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathText } from '../../../http/params.ts'
import { PageAnswer } from '../../../http/responses/answer-kinds.ts'
import { html } from '../../../lib/text/html.ts'
import { page } from '../../accounts/kernel/pages/layout.ts'
import { textsOf } from '../../accounts/kernel/pages/texts.ts'
import { linkByKey } from '../../kernel/mail/links.ts'
import { type StopKind, stopKinds, stoppable } from './stop-mails.ts'

export const unsubscribeForm = query('GET /unsubscribe/{key}', {
  summary: 'Show the page to unsubscribe from a kind of email',
  root: true,
  access: allowAnonymous,
  params: { key: pathText() },
  returns: {},
  async handle({ realm, read, site, params, request }) {
    const link = await linkByKey({ realm, read, now: site.clock() }, stopKinds, params.key)
    const texts = textsOf({ realm, request })
    const { t } = texts
    const { receives } = stoppable[link.kind as StopKind]
    const body = html`<p>${t(receives, { email: link.email, organization: realm.row.name })}</p>
<form method="post"><button>${t('unsubscribe.title')}</button></form>
`
    return new PageAnswer(page(texts, t('unsubscribe.title'), body))
  },
})
