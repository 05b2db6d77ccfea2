import { allowAnonymous } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathRest, text } from '../../../http/params.ts'
import { PageAnswer, RedirectAnswer } from '../../../http/responses/answer-kinds.ts'
import { askToJoin, mustConfirmAddress } from './ask-to-join.ts'
import { addressPage, keyIn, mailSentPage, orFormAgain } from './forms.ts'

export const sendLinkPage = command('POST /join/{key}', {
  summary: 'Submit the form of an invitation link',
  root: true,
  access: allowAnonymous,
  params: { key: pathRest(), email: text({ trim: true }).default('') },
  returns: {},
  handle(context) {
    const { params, realm, adapters } = context
    const { email } = params
    const isMailed = mustConfirmAddress(realm, adapters)
    const send = async () => {
      const key = await askToJoin(context, email, keyIn(params.key))
      if (key !== undefined) return new RedirectAnswer(`/accounts/do_confirm/${key}`)
      return new PageAnswer(mailSentPage(context, email, adapters.mail !== undefined))
    }
    return orFormAgain(send, (problem) => addressPage(context, { problem, email, isMailed }))
  },
})
