import { allowAnonymous } from '../../../http/access.ts'
import { PageAnswer } from '../../../http/answers.ts'
import { query } from '../../../http/endpoint.ts'
import { html } from '../../../lib/html.ts'
import { libLimits } from '../../../lib/limits.ts'
import { page } from '../kernel/pages/layout.ts'

export const resetForm = query('GET /accounts/password/reset', {
  summary: 'Show the page to request a password reset',
  root: true,
  access: allowAnonymous,
  params: {},
  returns: {},
  async handle() {
    return new PageAnswer(
      page(
        'Set a new password',
        html`<p>Enter the e-mail address of your account. We will send you a link to set a new password.</p>
<form method="post">
<label>E-mail address <input type="email" name="email" autofocus required maxlength="${libLimits.emailLength}" autocomplete="username"></label>
<button>Send the link</button>
</form>
`,
      ),
    )
  },
})
