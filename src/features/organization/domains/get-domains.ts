import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { domainSchema, domainsOf } from './domains.ts'

export const getDomains = query('GET /realm/domains', {
  summary: 'List the email domains that new users may have',
  access: requireUser,
  params: {},
  returns: { domains: z.array(domainSchema) },
  async handle({ realm }) {
    return { domains: domainsOf(realm) }
  },
})
