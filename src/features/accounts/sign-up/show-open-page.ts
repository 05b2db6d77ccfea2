import { allowAnonymous } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { PageAnswer } from '../../../http/responses/answer-kinds.ts'
import { addressPage, closedAnswer } from './forms.ts'
import { isOpenToAll } from './tickets.ts'

export const showOpenPage = query('GET /register', {
  summary: 'Show the page to join an organization that is open to everyone',
  root: true,
  slashed: true,
  access: allowAnonymous,
  params: {},
  returns: {},
  async handle(context) {
    return isOpenToAll(context.realm) ? new PageAnswer(addressPage(context)) : closedAnswer(context)
  },
})
