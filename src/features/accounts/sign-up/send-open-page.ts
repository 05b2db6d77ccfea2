import { allowAnonymous } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { PageAnswer } from '../../../http/responses/answer-kinds.ts'
import { askToJoin } from './ask-to-join.ts'
import { addressPage, closedAnswer, mailSentPage, orFormAgain } from './forms.ts'
import { isOpenToAll } from './tickets.ts'

export const sendOpenPage = command('POST /register', {
  summary: 'Submit the form to join an organization that is open to everyone',
  root: true,
  slashed: true,
  access: allowAnonymous,
  params: { email: text({ trim: true }).default('') },
  returns: {},
  async handle(context) {
    const { realm, params, adapters } = context
    const { email } = params
    if (!isOpenToAll(realm)) return closedAnswer(context)
    const send = async () => {
      await askToJoin(context, email, undefined)
      return new PageAnswer(mailSentPage(context, email, adapters.mail !== undefined))
    }
    return orFormAgain(send, (problem) => addressPage(context, { problem, email }))
  },
})
