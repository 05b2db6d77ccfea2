import { anyone } from '../../http/access.ts'
import { PageAnswer } from '../../http/answers.ts'
import { query } from '../../http/endpoint.ts'
import { addressPage } from './forms.ts'
import { checkIsOpen } from './tickets.ts'

export const showOpenPage = query('GET /register', {
  summary: 'The page on which to join an organization that all may join',
  root: true,
  access: anyone,
  params: {},
  returns: {},
  async handle({ realm }) {
    checkIsOpen(realm)
    return new PageAnswer(addressPage(realm))
  },
})
