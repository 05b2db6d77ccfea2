import { allowAnonymous } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { emailParam } from '../../people/users/email-param.ts'
import { askToJoin } from './ask-to-join.ts'

export const createSignUp = command('POST /rookery/sign_ups', {
  summary: 'Request to join the organization; a confirmation key is mailed',
  access: allowAnonymous,
  params: { email: emailParam(), invite_key: text().optional() },
  returns: {},
  async handle(context) {
    await askToJoin(context, context.params.email, context.params.invite_key)
    return {}
  },
})
