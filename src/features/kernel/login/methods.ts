import type { Adapters } from '../../../adapters/adapters.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** The login methods that an organization may allow, by the names that clients use. */
export const loginMethods = ['Email', 'LDAP', 'OpenID Connect'] as const
export type LoginMethod = (typeof loginMethods)[number]

/** Returns whether this server supports the method at all. */
export function isAvailable({ signOn }: Pick<Adapters, 'signOn'>, method: LoginMethod): boolean {
  if (method === 'LDAP') return signOn?.directory !== undefined
  if (method === 'OpenID Connect') return signOn?.openId !== undefined
  return true
}

/**
 * Returns whether users of this organization may log in with this method. Methods that the organization has not
 * configured are allowed.
 */
export function isEnabled(
  realm: RealmState,
  adapters: Pick<Adapters, 'signOn'>,
  method: LoginMethod,
): boolean {
  return isAvailable(adapters, method) && chosenMethods(realm)[method] !== false
}

declare module '../../../db/values.ts' {
  interface StoredRealmSettings {
    authentication_methods: Partial<Record<LoginMethod, boolean>>
  }
}

/** Returns the organization's configured methods. */
export function chosenMethods(realm: RealmState): Partial<Record<LoginMethod, boolean>> {
  return realm.row.settings.authentication_methods ?? {}
}

/** Returns the available methods as clients see them. */
export function methodsView(realm: RealmState, adapters: Pick<Adapters, 'signOn'>) {
  const there = loginMethods.filter((method) => isAvailable(adapters, method))
  return Object.fromEntries(
    there.map((method) => [method, { enabled: isEnabled(realm, adapters, method), available: true }]),
  )
}
