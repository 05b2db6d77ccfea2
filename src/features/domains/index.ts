import { addDomain } from './add-domain.ts'
import { checkSubdomain } from './check-subdomain.ts'
import { getDomains } from './get-domains.ts'
import { realmDomainsEvent } from './realm_domains.event.ts'
import { removeDomain } from './remove-domain.ts'
import { updateDomain } from './update-domain.ts'

/** The operations of this capability. */
export const endpoints = [addDomain, checkSubdomain, getDomains, removeDomain, updateDomain]

/** Its types of events. */
export const eventTypes = [realmDomainsEvent]
