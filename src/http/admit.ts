import type { AccountRow } from '../db/schema.ts'
import type { Site } from '../lib/site.ts'
import type { RealmState } from '../log/realm-state.ts'
import { type Caller, checkActive, checkStillGood } from './authenticate.ts'
import type { Endpoint } from './endpoint.ts'

/**
 * An operation, and who may call it: `me` as its access says, in this epoch of the log, when the state had changed last at this
 * number of the log.
 */
export type Entered = {
  endpoint: Endpoint
  caller: Caller | null
  me: unknown
  epoch: string
  changedAt: number
}

/** A request has to start again: the row of its caller has changed since it was read. */
export class CallerChanged extends Error {}

/** Throws if the caller may not call the operation. */
export function admit(endpoint: Endpoint, state: RealmState, site: Site, caller: Caller | null): Entered {
  const { epoch, changedAt } = state
  const me =
    !caller && endpoint.spectator
      ? endpoint.spectator(state, site)
      : endpoint.access(state, caller && (state.users.get(caller.user.id) ?? caller.user))
  return { endpoint, caller, me, epoch, changedAt }
}

/** Does the same again if the state has changed: a body may come slowly, and a request may wait for its turn. */
export function admitAgain(entered: Entered, state: RealmState, site: Site): Entered {
  const { endpoint, caller, epoch, changedAt } = entered
  if (state.changedAt === changedAt && state.epoch === epoch) return entered
  if (caller) checkStillCaller(state, caller)
  return { ...admit(endpoint, state, site, caller), epoch }
}

/**
 * Throws if the caller may not write any more. To be called under the lock: others may have changed their account since the
 * request was admitted. `mayStartAgain`: throws CallerChanged if the operation has read another row of the caller than this
 * state has.
 */
export function checkStillAdmitted(
  { endpoint, caller, me, changedAt }: Entered,
  state: RealmState,
  mayStartAgain: boolean,
) {
  if (!caller || state.changedAt === changedAt) return
  const user = checkStillCaller(state, caller)
  endpoint.access(state, user)
  if (mayStartAgain && me !== user) throw new CallerChanged('the account of the caller has changed')
}

function checkStillCaller(state: RealmState, caller: Caller): AccountRow {
  checkStillGood(state, caller)
  const user = state.users.require(caller.user.id)
  checkActive(state, user)
  return user
}
