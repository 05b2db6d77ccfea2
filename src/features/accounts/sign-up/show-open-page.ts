import { allowAnonymous } from '../../../http/access.ts'
import { PageAnswer } from '../../../http/answers.ts'
import { query } from '../../../http/endpoint.ts'
import { addressPage, closedAnswer } from './forms.ts'
import { isOpenToAll } from './tickets.ts'

export const showOpenPage = query('GET /register', {
  summary: 'Show the page to join an organization that is open to everyone',
  root: true,
  access: allowAnonymous,
  params: {},
  returns: {},
  async handle(context) {
    return isOpenToAll(context.realm) ? new PageAnswer(addressPage(context)) : closedAnswer(context)
  },
})
