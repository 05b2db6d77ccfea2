import { badRequest } from '../../lib/api-error.ts'
import { limits } from '../../lib/limits.ts'
import { realmHost, type Site } from '../../lib/site.ts'
import type { RealmState } from '../../log/realm-state.ts'

/** Whether a text has the form of an e-mail address. */
export function isEmail(address: string): boolean {
  const at = address.lastIndexOf('@')
  if (at < 0 || address.length > limits.emailLength) return false
  const labels = address.slice(at + 1).split('.')
  return local.test(address.slice(0, at)) && labels.every((label) => domainLabel.test(label))
}

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

// ASCII only, so that the database and we agree on which addresses differ by case alone.
const local = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/
const domainLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i
