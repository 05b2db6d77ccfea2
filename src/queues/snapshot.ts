import type { Reader } from '../db/database.ts'
import { notReady } from '../lib/api-error.ts'
import { readHead } from '../log/load.ts'
import type { RealmLog } from '../log/realm-log.ts'
import type { RealmState } from '../log/realm-state.ts'
import { queueLimits } from './limits.ts'

/** Reads data of one moment: from the database first, then from memory. */
export type SnapshotWork<Own, T> = {
  /** Reads what only the database has; undefined if nothing is needed from it. */
  readOwn?: ((at: Reader, state: RealmState) => Promise<Own>) | undefined
  /** Builds the result synchronously. `own` is the result of readOwn. */
  build(state: RealmState, position: number, own: Own | undefined): T
}

/** `readLocked` is for use while all others wait: it must not wait for a slot of the caller. */
type Readers = { read: Reader; readLocked: Reader }

/**
 * Reads memory and database at the same position of the log. The database's part is one snapshot, which includes the
 * end of the log; memory is valid if its rows were the same before and after, and it has come at least as far.
 * Otherwise it is repeated, after a few attempts with the log locked. Throws 503 if even that fails.
 */
export async function takeSnapshot<Own, T>(
  log: RealmLog,
  { read, readLocked }: Readers,
  { readOwn, build }: SnapshotWork<Own, T>,
): Promise<T> {
  if (!readOwn) return build(log.state, log.state.position, undefined)
  const look = (by: Reader) => log.database.whereOpen(() => readAt(log.state, by, readOwn))
  for (let attempt = 1; attempt <= queueLimits.snapshotAttempts; attempt++) {
    // A change that changes nothing locks out all others, on every node.
    const found = await (attempt <= queueLimits.snapshotAttemptsUnlocked
      ? look(read)
      : log.commit(() => look(readLocked)))
    if (log.state.epoch !== found.epoch) await log.catchUp()
    else if (log.state.position < found.position) await log.reach(found.position)
    const { state } = log
    const isSame = state === found.state && state.changedAt === found.changedAt
    if (isSame && state.changedAt <= found.position) return build(state, found.position, found.own)
  }
  throw notReady('Too much is changing at the moment. Try again.')
}

async function readAt<Own>(
  state: RealmState,
  read: Reader,
  readOwn: (at: Reader, state: RealmState) => Promise<Own>,
) {
  const { changedAt } = state
  return read.snapshot(async (at) => {
    const { lastEventId, epoch } = await readHead(at, state.id)
    return { state, changedAt, position: lastEventId, epoch, own: await readOwn(at, state) }
  })
}
