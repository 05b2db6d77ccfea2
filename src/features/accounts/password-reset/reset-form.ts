import { allowAnonymous } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { PageAnswer } from '../../../http/responses/answer-kinds.ts'
import { libLimits } from '../../../lib/limits.ts'
import { html } from '../../../lib/text/html.ts'
import { page } from '../kernel/pages/layout.ts'
import { textsOf } from '../kernel/pages/texts.ts'

export const resetForm = query('GET /accounts/password/reset', {
  summary: 'Show the page to request a password reset',
  root: true,
  slashed: true,
  access: allowAnonymous,
  params: {},
  returns: {},
  async handle(context) {
    const texts = textsOf(context)
    const { t } = texts
    return new PageAnswer(
      page(
        texts,
        t('reset.title'),
        html`<p>${t('reset.ask')}</p>
<form method="post">
<label>${t('sign_in.email')} <input type="email" name="email" autofocus required maxlength="${libLimits.emailLength}" autocomplete="username"></label>
<button>${t('reset.send')}</button>
</form>
`,
      ),
    )
  },
})
