import { anyone } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { text } from '../../http/params.ts'
import { askToJoin } from './ask-to-join.ts'

export const createSignUp = command('POST /rookery/sign_ups', {
  summary:
    'Ask to join: a mail to the address brings a key. With the key of an invitation link, or where all may join',
  access: anyone,
  params: { email: text({ trim: true }), invite_key: text().optional() },
  returns: {},
  async handle(context) {
    await askToJoin(context, context.params.email, context.params.invite_key)
    return {}
  },
})
