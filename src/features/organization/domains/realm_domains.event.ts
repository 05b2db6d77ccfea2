import type { ClientState, EventType } from '../../../queues/event-type.ts'
import type { DomainView } from './domains.ts'

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

  apply(state: ClientState, event: RealmDomainsEvent) {
    if (!state.realm_domains) return
    const { domain } = event.op === 'remove' ? event : event.realm_domain
    const at = state.realm_domains.findIndex((known: DomainView) => known.domain === domain)
    if (event.op === 'add') state.realm_domains.push(event.realm_domain)
    else if (event.op === 'change') state.realm_domains[at] = event.realm_domain
    else state.realm_domains.splice(at, 1)
  },
} satisfies EventType<RealmDomainsEvent>
