import { allowAnonymous } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathText } from '../../../http/params.ts'
import { PageAnswer } from '../../../http/responses/answer-kinds.ts'
import { html } from '../../../lib/text/html.ts'
import { linkByKey } from '../../kernel/mail/links.ts'
import { page } from '../kernel/pages/layout.ts'
import { textsOf } from '../kernel/pages/texts.ts'

// Opening the page confirms nothing, because mail scanners open links, too.
export const newEmailForm = query('GET /accounts/confirm_new_email/{key}', {
  summary: 'Show the page to confirm a new email address',
  root: true,
  access: allowAnonymous,
  params: { key: pathText() },
  returns: {},
  async handle({ realm, read, site, params, request }) {
    const { email } = await linkByKey({ realm, read, now: site.clock() }, ['change-email'], params.key)
    const texts = textsOf({ realm, request })
    const { t } = texts
    const body = html`<p>${t('new_email.will', { organization: realm.row.name, email })}</p>
<form method="post"><button>${t('new_email.submit')}</button></form>
`
    return new PageAnswer(page(texts, t('new_email.title'), body))
  },
})
