import { allowAnonymous } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { RedirectAnswer } from '../../../http/responses/answer-kinds.ts'
import { destinationParams } from './params.ts'

// API clients expect the page at this path.
export const showSignInElsewhere = query('GET /accounts/login', {
  summary: 'Redirect to the sign-in page',
  root: true,
  slashed: true,
  access: allowAnonymous,
  params: destinationParams,
  returns: {},
  async handle({ params }) {
    const sent = Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined)
    return new RedirectAnswer(sent.length === 0 ? '/login' : `/login?${new URLSearchParams(sent)}`)
  },
})
