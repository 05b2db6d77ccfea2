import { z } from 'zod'
import { user } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { domainSchema, domainsOf } from './domains.ts'

export const getDomains = query('GET /realm/domains', {
  summary: 'List the email domains that new users may have',
  access: user,
  params: {},
  returns: { domains: z.array(domainSchema) },
  async handle({ realm }) {
    return { domains: domainsOf(realm) }
  },
})
