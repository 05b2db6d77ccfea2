import { allowAnonymous } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathText } from '../../../http/params.ts'
import { PageAnswer } from '../../../http/responses/answer-kinds.ts'
import { html } from '../../../lib/text/html.ts'
import { linkByKey } from '../../kernel/mail/links.ts'
import { loginLimits } from '../kernel/login/limits.ts'
import { page } from '../kernel/pages/layout.ts'
import { textsOf } from '../kernel/pages/texts.ts'

export const newPasswordForm = query('GET /accounts/password/reset/{key}', {
  summary: 'Show the page to set a new password',
  root: true,
  access: allowAnonymous,
  params: { key: pathText() },
  returns: {},
  async handle({ realm, read, site, params, request }) {
    const { email } = await linkByKey({ realm, read, now: site.clock() }, ['reset-password'], params.key)
    const texts = textsOf({ realm, request })
    const { t } = texts
    const count = loginLimits.passwordMinLength
    return new PageAnswer(
      page(
        texts,
        t('reset.title'),
        html`<form method="post">
<input type="hidden" name="username" value="${email}" autocomplete="username">
<label>${t('reset.password', { email, count })}
<input type="password" name="password" autofocus required minlength="${count}" maxlength="${loginLimits.passwordLength}" autocomplete="new-password"></label>
<button>${t('reset.submit')}</button>
</form>
`,
      ),
    )
  },
})
