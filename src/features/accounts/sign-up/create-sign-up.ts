import { z } from 'zod'
import { allowAnonymous } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { emailParam } from '../../people/users/email-param.ts'
import { askToJoin } from './ask-to-join.ts'

export const createSignUp = command('POST /rookery/sign_ups', {
  summary:
    'Request to join the organization; a confirmation key is mailed, or returned to the holder of a link where no mail is sent',
  access: allowAnonymous,
  params: { email: emailParam(), invite_key: text().optional() },
  returns: { key: z.string().optional() },
  async handle(context) {
    const key = await askToJoin(context, context.params.email, context.params.invite_key)
    return key === undefined ? {} : { key }
  },
})
