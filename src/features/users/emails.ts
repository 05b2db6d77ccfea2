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
  const standsIn =
    /^user\d+@(.+)$/i.exec(address)?.[1]?.toLowerCase() === realmHost(site, realm.realm).toLowerCase()
  if (standsIn || realm.userByEmail(address.toLowerCase())) throw badRequest('Email is already in use.')
}

// What stands before the @ may not contain what would end an address in a header or in a list of them.
const local = /^[^\s@"(),:;<>[\\\]\p{C}]{1,64}$/u
const domainLabel = /^[\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u
