import { requireOwner } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { boolean, pathText } from '../../../http/params.ts'
import { allowedDomain, domainView } from './domains.ts'
import { domainChanged } from './realm_domains.event.ts'

export const updateDomain = command('PATCH /realm/domains/{domain}', {
  summary: 'Allow or disallow the subdomains of an email domain',
  access: requireOwner,
  params: { domain: pathText(), allow_subdomains: boolean() },
  returns: {},
  async handle({ realm, params: { domain, allow_subdomains }, commit }) {
    allowedDomain(realm, domain)
    await commit(async (change) => {
      const { id } = allowedDomain(change.state, domain)
      const row = await change.update('allowed_domain', { id, allow_subdomains })
      change.emit(domainChanged(domainView(row)), { everyone: true })
    })
    return {}
  },
})
