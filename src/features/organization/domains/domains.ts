import { z } from 'zod'
import type { AllowedDomainRow } from '../../../db/schema.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'

export const domainSchema = z.object({ domain: z.string(), allow_subdomains: z.boolean() })

/** An allowed email domain, as it is on the wire. */
export type DomainView = z.infer<typeof domainSchema>

export function domainView({ domain, allow_subdomains }: AllowedDomainRow): DomainView {
  return { domain, allow_subdomains }
}

/** Returns the email domains that are allowed when joining is restricted to domains, oldest first. */
export function domainsOf(realm: RealmState): DomainView[] {
  return [...realm.allowedDomains.values()].sort((a, b) => a.id - b.id).map(domainView)
}

/** Returns the row of an allowed domain, ignoring case; throws 400 if it does not exist. */
export function allowedDomain(realm: RealmState, domain: string): AllowedDomainRow {
  const row = realm.allowedDomainByName(domain.toLowerCase())
  if (!row) throw badRequest(`No entry found for domain ${domain}.`)
  return row
}
