import { z } from 'zod'
import { requireOwner } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { boolean, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { domainView } from './domains.ts'
import { domainLimits } from './limits.ts'
import { domainAdded } from './realm_domains.event.ts'

// In lower case, as domains are stored.
const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const wholeLabel = new RegExp(`^${label}$`)

export const addDomain = command('POST /realm/domains', {
  summary: 'Allow an email domain for new users',
  creates: true,
  access: requireOwner,
  params: {
    domain: text().documentedAs({
      format: 'hostname',
      maxLength: domainLimits.domainLength,
      pattern: `^${label}(\\.${label})+$`,
    }),
    allow_subdomains: boolean(),
  },
  returns: { new_domain: z.tuple([z.int(), z.string()]) },
  async handle({ realm, params, conclude }) {
    const domain = domainName(params.domain)
    checkIsNew(realm, domain)
    return conclude(async (change) => {
      checkIsNew(change.state, domain)
      const row = await change.insert('allowed_domain', { domain, allow_subdomains: params.allow_subdomains })
      change.emit(domainAdded(domainView(row)), { everyone: true })
      return { new_domain: [row.id, domain] }
    })
  },
})

/** Returns a domain as it is stored, in lower case. Throws if it is invalid. */
export function domainName(sent: string): string {
  const domain = sent.trim().toLowerCase()
  const problem = problemOf(domain)
  if (problem) throw badRequest(`Invalid domain: ${problem}`)
  return domain
}

function problemOf(domain: string): string | undefined {
  if (domain === '') return "Domain can't be empty."
  if (!domain.includes('.')) return 'Domain must have at least one dot (.)'
  if (domain.length > domainLimits.domainLength) {
    return `Domain is too long (limit: ${domainLimits.domainLength} characters)`
  }
  const labels = domain.split('.')
  if (labels.includes('')) return 'There must be something on both sides of each dot (.)'
  if (labels.every((one) => wholeLabel.test(one))) return undefined
  return 'Its parts have up to 63 letters, digits and hyphens, with no hyphen at their ends.'
}

function checkIsNew(realm: RealmState, domain: string) {
  if (realm.allowedDomainByName(domain)) {
    throw badRequest(`The domain ${domain} is already a part of your organization.`)
  }
  if (realm.allowedDomains.size >= domainLimits.allowedDomains)
    throw badRequest('There are too many domains.')
}
