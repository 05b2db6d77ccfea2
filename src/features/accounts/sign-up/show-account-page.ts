import { allowAnonymous } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathRest } from '../../../http/params.ts'
import { PageAnswer } from '../../../http/responses/answer-kinds.ts'
import { isEnabled } from '../../kernel/login/methods.ts'
import { accountPage, keyIn, signOnPage } from './forms.ts'
import { ticketFor } from './tickets.ts'

export const showAccountPage = query('GET /accounts/do_confirm/{key}', {
  summary: 'Show the registration page that a confirmation email links to',
  root: true,
  access: allowAnonymous,
  params: { key: pathRest() },
  returns: {},
  async handle(context) {
    const { realm, params, read, site, adapters } = context
    const ticket = await ticketFor(read.rows, realm, keyIn(params.key), site.clock())
    const hasPasswords = isEnabled(realm, adapters, 'Email')
    return new PageAnswer(hasPasswords ? accountPage(context, ticket) : signOnPage(context, ticket))
  },
})
