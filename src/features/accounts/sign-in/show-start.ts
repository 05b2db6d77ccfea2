import { allowAnonymous } from '../../../http/access.ts'
import { RedirectAnswer } from '../../../http/answers.ts'
import { query } from '../../../http/endpoint.ts'

export const showStart = query('GET /', {
  summary: 'Redirect to the account page, or to the sign-in page',
  root: true,
  access: allowAnonymous,
  params: {},
  returns: {},
  async handle() {
    return new RedirectAnswer('/account')
  },
})
