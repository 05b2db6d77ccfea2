import { addDomain } from './add-domain.ts'
import { checkSubdomain } from './check-subdomain.ts'
import { getDomains } from './get-domains.ts'
import { realmDomainsEvent } from './realm_domains.event.ts'
import { removeDomain } from './remove-domain.ts'
import { updateDomain } from './update-domain.ts'

export const endpoints = [addDomain, checkSubdomain, getDomains, removeDomain, updateDomain]

export const eventTypes = [realmDomainsEvent]
