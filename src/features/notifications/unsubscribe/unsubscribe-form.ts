import { allowAnonymous } from '../../../http/access.ts'
import { PageAnswer } from '../../../http/answers.ts'
import { query } from '../../../http/endpoint.ts'
import { pathText } from '../../../http/params.ts'
import { html } from '../../../lib/html.ts'
import { page } from '../../accounts/kernel/pages/layout.ts'
import { linkByKey } from '../../kernel/mail/links.ts'
import { type StopKind, stopKinds, stoppable } from './stop-mails.ts'

export const unsubscribeForm = query('GET /unsubscribe/{key}', {
  summary: 'Show the page to unsubscribe from a kind of email',
  root: true,
  access: allowAnonymous,
  params: { key: pathText() },
  returns: {},
  async handle({ realm, read, site, params }) {
    const link = await linkByKey({ realm, read, now: site.clock() }, stopKinds, params.key)
    return new PageAnswer(
      page(
        'Unsubscribe',
        html`<p>${link.email} receives e-mails about ${stoppable[link.kind as StopKind]} in ${realm.realm.name}.</p>
<form method="post"><button>Unsubscribe</button></form>
`,
      ),
    )
  },
})
