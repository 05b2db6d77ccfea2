import type { Adapters } from '../../../adapters/adapters.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import {
  chosenMethods,
  isAvailable,
  isEnabled,
  loginMethods,
  methodsView,
} from '../../kernel/login/methods.ts'
import { realmMethodsChanged } from '../kernel/settings/realm.event.ts'

/** Throws for a login method that this server does not support, and if no method would be left. */
export function checkMethods(realm: RealmState, adapters: Adapters, sent: Record<string, boolean>) {
  for (const name of Object.keys(sent)) {
    const method = loginMethods.find((one) => one === name)
    if (!method || !isAvailable(adapters, method)) throw badRequest(`Invalid authentication method: ${name}`)
  }
  if (
    !loginMethods.some(
      (method) => isAvailable(adapters, method) && willBeEnabled(realm, adapters, method, sent),
    )
  ) {
    throw badRequest('At least one authentication method must be enabled.')
  }
}

/** Returns the setting with the sent values, if they change anything. */
export function changedMethods(realm: RealmState, adapters: Adapters, sent: Record<string, boolean> = {}) {
  const differs = loginMethods.some(
    (method) => sent[method] !== undefined && sent[method] !== isEnabled(realm, adapters, method),
  )
  return differs ? { authentication_methods: { ...chosenMethods(realm), ...sent } } : undefined
}

/** Notifies all users of the allowed login methods, and returns them. */
export function emitMethods(change: Change, adapters: Adapters) {
  const methods = methodsView(change.next, adapters)
  change.emit(realmMethodsChanged(methods), { everyone: true })
  return { authentication_methods: methods }
}

/** Whether a login method is enabled after the change. */
function willBeEnabled(
  realm: RealmState,
  adapters: Adapters,
  method: (typeof loginMethods)[number],
  sent: Record<string, boolean>,
): boolean {
  return sent[method] ?? isEnabled(realm, adapters, method)
}
