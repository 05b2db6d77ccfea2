import type { ClientState } from '../../../queues/client-state.ts'

type Domain = { domain: string }
type DomainEvent = { op: 'add' | 'change'; realm_domain: Domain } | { op: 'remove'; domain: string }

export function applyRealmDomains(state: ClientState, event: DomainEvent) {
  if (!state.realm_domains) return
  const { domain } = event.op === 'remove' ? event : event.realm_domain
  const at = state.realm_domains.findIndex((known: Domain) => known.domain === domain)
  if (event.op === 'add') state.realm_domains.push(event.realm_domain)
  else if (event.op === 'change') state.realm_domains[at] = event.realm_domain
  else state.realm_domains.splice(at, 1)
}
