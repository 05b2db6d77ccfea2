import { z } from 'zod'
import { allowAnonymous } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathText } from '../../../http/params.ts'
import { isSubdomain } from '../../../lib/site.ts'

export const checkSubdomain = query('GET /realm/subdomain/{subdomain}', {
  summary: 'Check whether a subdomain is available for a new organization',
  access: allowAnonymous,
  params: { subdomain: pathText() },
  // `available`, or the reason why the name is not available.
  returns: { msg: z.string() },
  async handle({ organizations, params: { subdomain } }) {
    if (!isSubdomain(subdomain)) {
      return { msg: 'It has 1 to 40 lower-case letters, digits and hyphens, with no hyphen at its ends.' }
    }
    const [taken] = await organizations([subdomain])
    return { msg: taken ? 'Another organization has it.' : 'available' }
  },
})
