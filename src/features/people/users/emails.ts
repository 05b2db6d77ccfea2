import { badRequest } from '../../../lib/api-error.ts'
import { realmHost, type Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** Throws if a user, active or deactivated, has the address, or if it looks like a stand-in address. */
export function checkEmailIsFree(realm: RealmState, site: Site, address: string) {
  const isTaken = isStandIn(realm, site, address) || realm.userByEmail(address.toLowerCase())
  if (isTaken) throw badRequest('Email is already in use.')
}

/** Returns whether an address has the form of a stand-in address, for any user. */
export function isStandIn(realm: RealmState, site: Site, address: string): boolean {
  const domain = /^user\d+@(.+)$/i.exec(address)?.[1]?.toLowerCase()
  return domain === realmHost(site, realm.row).toLowerCase()
}
