import type { AccountRow } from '../../db/schema.ts'
import type { Site } from '../../lib/site.ts'
import type { RealmState } from '../../log/realm-state.ts'
import type { Endpoint } from '../endpoint.ts'
import { type Caller, checkActive, checkCallerIsValid } from './authenticate.ts'

/**
 * An admitted request: its operation, `me` as its access returned it, and the epoch and position of the state at that
 * time.
 */
export type Admitted = {
  endpoint: Endpoint
  caller: Caller | null
  me: unknown
  epoch: string
  changedAt: number
}

/** The request must start again: the row of its caller has changed since it was read. */
export class CallerChanged extends Error {}

/** Throws if the caller may not call the operation. */
export function admit(endpoint: Endpoint, state: RealmState, site: Site, caller: Caller | null): Admitted {
  const { epoch, changedAt } = state
  const me =
    !caller && endpoint.spectator
      ? endpoint.spectator(state, site)
      : endpoint.access(state, caller && (state.users.get(caller.user.id) ?? caller.user))
  return { endpoint, caller, me, epoch, changedAt }
}

/** Admits the request again if the state has changed: a body may arrive slowly, and a request may wait for a place. */
export function admitAgain(admitted: Admitted, state: RealmState, site: Site): Admitted {
  const { endpoint, caller, epoch, changedAt } = admitted
  if (state.changedAt === changedAt && state.epoch === epoch) return admitted
  if (caller) checkStillCaller(state, caller)
  return { ...admit(endpoint, state, site, caller), epoch }
}

/**
 * Throws if the caller may no longer write. Call it under the lock: others may have changed the account since the
 * request was admitted. With `mayStartAgain`, throws CallerChanged if the row of the caller differs from the one that
 * the operation has read.
 */
export function checkStillAdmitted(
  { endpoint, caller, me, changedAt }: Admitted,
  state: RealmState,
  mayStartAgain: boolean,
) {
  if (!caller || state.changedAt === changedAt) return
  const user = checkStillCaller(state, caller)
  endpoint.access(state, user)
  if (mayStartAgain && me !== user) throw new CallerChanged('the account of the caller has changed')
}

function checkStillCaller(state: RealmState, caller: Caller): AccountRow {
  checkCallerIsValid(state, caller)
  const user = state.users.require(caller.user.id)
  checkActive(state, user)
  return user
}
