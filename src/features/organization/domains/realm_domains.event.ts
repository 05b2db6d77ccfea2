import type { EventType } from '../../../queues/event-type.ts'
import type { DomainView } from './domains.ts'
import { applyRealmDomains } from './realm_domains.apply.ts'

type AddOrChange = { type: 'realm_domains'; op: 'add' | 'change'; realm_domain: DomainView }

type Remove = { type: 'realm_domains'; op: 'remove'; domain: string }

type RealmDomainsEvent = AddOrChange | Remove

export function domainAdded(domain: DomainView): AddOrChange {
  return { type: 'realm_domains', op: 'add', realm_domain: domain }
}

export function domainChanged(domain: DomainView): AddOrChange {
  return { type: 'realm_domains', op: 'change', realm_domain: domain }
}

export function domainRemoved(domain: string): Remove {
  return { type: 'realm_domains', op: 'remove', domain }
}

declare module '../../../log/entry.ts' {
  interface Events {
    realm_domains: RealmDomainsEvent
  }
}

/** A change of one allowed email domain. */
export const realmDomainsEvent = {
  type: 'realm_domains',

  apply: applyRealmDomains,
} satisfies EventType<RealmDomainsEvent>
