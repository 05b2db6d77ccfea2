import { badRequest } from '../../../lib/api-error.ts'
import { realmHost, type Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** Throws if somebody has the address, deactivated or not, or if it could be taken for one that stands in for another. */
export function checkEmailIsFree(realm: RealmState, site: Site, address: string) {
  const isTaken = isStandIn(realm, site, address) || realm.userByEmail(address.toLowerCase())
  if (isTaken) throw badRequest('Email is already in use.')
}

/** Whether an address is one of those that stand in for hidden ones, whosever it may be. */
export function isStandIn(realm: RealmState, site: Site, address: string): boolean {
  const domain = /^user\d+@(.+)$/i.exec(address)?.[1]?.toLowerCase()
  return domain === realmHost(site, realm.realm).toLowerCase()
}
