import { allowAnonymous } from '../../../http/access.ts'
import { PageAnswer } from '../../../http/answers.ts'
import { query } from '../../../http/endpoint.ts'
import { pathText } from '../../../http/params.ts'
import { html } from '../../../lib/html.ts'
import { linkByKey } from '../../kernel/mail/links.ts'
import { page } from '../kernel/pages/layout.ts'

// Opening the page confirms nothing, because mail scanners open links, too.
export const newEmailForm = query('GET /accounts/confirm_new_email/{key}', {
  summary: 'Show the page to confirm a new email address',
  root: true,
  access: allowAnonymous,
  params: { key: pathText() },
  returns: {},
  async handle({ realm, read, site, params }) {
    const { email } = await linkByKey({ realm, read, now: site.clock() }, ['change-email'], params.key)
    return new PageAnswer(
      page(
        'Confirm your new e-mail address',
        html`<p>Your account in ${realm.realm.name} will use the address <b>${email}</b>.</p>
<form method="post"><button>Use this address</button></form>
`,
      ),
    )
  },
})
