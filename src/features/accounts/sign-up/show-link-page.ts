import { allowAnonymous } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathRest } from '../../../http/params.ts'
import { PageAnswer } from '../../../http/responses/answer-kinds.ts'
import { mustConfirmAddress } from './ask-to-join.ts'
import { addressPage, keyIn } from './forms.ts'
import { linkedInvitation } from './tickets.ts'

export const showLinkPage = query('GET /join/{key}', {
  summary: 'Show the page of an invitation link',
  root: true,
  access: allowAnonymous,
  params: { key: pathRest() },
  returns: {},
  async handle(context) {
    const { realm, params, read, site, adapters } = context
    await linkedInvitation(read.rows, realm, keyIn(params.key), site.clock())
    return new PageAnswer(addressPage(context, { isMailed: mustConfirmAddress(realm, adapters) }))
  },
})
