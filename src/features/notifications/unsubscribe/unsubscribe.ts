import { allowAnonymous } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathText } from '../../../http/params.ts'
import { PageAnswer } from '../../../http/responses/answer-kinds.ts'
import { html } from '../../../lib/text/html.ts'
import { page } from '../../accounts/kernel/pages/layout.ts'
import { textsOf } from '../../accounts/kernel/pages/texts.ts'
import { linkByKey } from '../../kernel/mail/links.ts'
import { type StopKind, stopKinds, stopMails, stoppable } from './stop-mails.ts'

/** Mail clients call this themselves (RFC 8058), so it needs no confirmation and may be repeated. */
export const unsubscribe = command('POST /unsubscribe/{key}', {
  summary: 'Submit the form to unsubscribe from a kind of email',
  root: true,
  access: allowAnonymous,
  params: { key: pathText() },
  returns: {},
  async handle({ realm, read, site, params, request, commit }) {
    const link = await linkByKey({ realm, read, now: site.clock() }, stopKinds, params.key)
    const kind = link.kind as StopKind
    await commit(async (change) => {
      const user = change.state.users.get(link.user_id)
      if (user) await stopMails(change, site, user, kind)
    })
    const texts = textsOf({ realm, request })
    const done = texts.t(stoppable[kind].stopped, { organization: realm.row.name })
    return new PageAnswer(page(texts, texts.t('unsubscribe.done'), html`<p>${done}</p>\n`))
  },
})
