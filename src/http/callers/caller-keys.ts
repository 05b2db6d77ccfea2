import type { SemaphoreCaller } from '../../lib/async/fair-semaphore.ts'
import { networkOf } from '../../lib/network/network-of.ts'
import type { RealmLog } from '../../log/realm-log.ts'
import type { Caller } from './authenticate.ts'

// The keys under which limits count a caller: by account, or by network without a login.

/** Returns the key of an account. Imported organizations may have the same account ids as others. */
export function accountOf({ user }: Caller): string {
  return `${user.realm_id} ${user.id}`
}

/** Returns the key under which second looks are counted: the account, or the network without a login. */
export function lookPayer(caller: Caller | null, { ip }: { ip: string }): string {
  return caller ? accountOf(caller) : networkOf(ip)
}

/** Returns the caller for semaphores, which share their slots between callers. */
export function semaphoreCaller(
  log: RealmLog,
  caller: Caller | null,
  { ip }: { ip: string },
): SemaphoreCaller {
  return { group: log.state.row.subdomain, name: caller ? String(caller.user.id) : networkOf(ip) }
}
