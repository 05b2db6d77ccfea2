import type { Adapters } from '../../../adapters/adapters.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** Ways to log in that an organization may allow or not, by the names that clients have for them. */
export const loginMethods = ['Email', 'LDAP', 'OpenID Connect'] as const
export type LoginMethod = (typeof loginMethods)[number]

/** Whether this server can do it at all. */
export function isAvailable({ signOn }: Pick<Adapters, 'signOn'>, method: LoginMethod): boolean {
  if (method === 'LDAP') return signOn?.directory !== undefined
  if (method === 'OpenID Connect') return signOn?.openId !== undefined
  return true
}

/** Whether people of this organization may log in in this way. What it says nothing of is allowed. */
export function isEnabled(
  realm: RealmState,
  outside: Pick<Adapters, 'signOn'>,
  method: LoginMethod,
): boolean {
  return isAvailable(outside, method) && chosenMethods(realm)[method] !== false
}

/** What the organization has chosen. */
export function chosenMethods(realm: RealmState): Partial<Record<LoginMethod, boolean>> {
  return (
    (realm.realm.settings.authentication_methods as Partial<Record<LoginMethod, boolean>> | undefined) ?? {}
  )
}

/** The ways that there are, as clients are told of them. */
export function methodsView(realm: RealmState, outside: Pick<Adapters, 'signOn'>) {
  const there = loginMethods.filter((method) => isAvailable(outside, method))
  return Object.fromEntries(
    there.map((method) => [method, { enabled: isEnabled(realm, outside, method), available: true }]),
  )
}
