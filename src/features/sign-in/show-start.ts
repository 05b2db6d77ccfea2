import { anyone } from '../../http/access.ts'
import { RedirectAnswer } from '../../http/answers.ts'
import { query } from '../../http/endpoint.ts'

export const showStart = query('GET /', {
  summary: 'Lead whoever opens the server’s address to their account, or to sign in',
  root: true,
  access: anyone,
  params: {},
  returns: {},
  async handle() {
    return new RedirectAnswer('/account')
  },
})
