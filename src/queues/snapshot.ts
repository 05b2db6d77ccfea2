import type { Reader } from '../db/database.ts'
import { readTogether, type Selection } from '../db/selection.ts'
import { notReady } from '../lib/api-error.ts'
import { headSelection } from '../log/head.ts'
import type { RealmLog } from '../log/realm-log.ts'
import type { RealmState } from '../log/realm-state.ts'
import { queueLimits } from './limits.ts'

/** Reads data of one moment: from the database first, then from memory. */
export type SnapshotWork<Part, T> = {
  /** Selects what only the database has; nothing if memory has everything. */
  select(state: RealmState): ReadonlyMap<Part, Selection<unknown>>
  /** The name of the statement that reads it, if it has few forms. */
  statement?: string | undefined
  /** Builds the result synchronously. `own` is what was selected. */
  build(state: RealmState, position: number, own: ReadonlyMap<Part, unknown>): T
}

/** `readLocked` is used under the log's lock, while all others wait: it must not wait for a slot of the caller. */
type Readers = { read: Reader; readLocked: Reader }

/**
 * Reads memory and database at the same position of the log. One statement reads the database's part and the end of the log. Memory is
 * valid if it has folded the log at least up to that end, and its rows were the same before and after. Otherwise the read is repeated,
 * after a few attempts under the log's lock. Throws 503 if even that fails.
 */
export async function takeSnapshot<Part, T>(
  log: RealmLog,
  { read, readLocked }: Readers,
  work: SnapshotWork<Part, T>,
): Promise<T> {
  const look = (by: Reader) => log.database.whereOpen(() => readAt(log.state, by, work))
  for (let attempt = 1; attempt <= queueLimits.snapshotAttempts; attempt++) {
    // An empty commit takes the log's lock, which keeps all others from writing, on every node.
    const found = await (attempt <= queueLimits.snapshotAttemptsUnlocked
      ? look(read)
      : log.commit(() => look(readLocked)))
    if (log.state.epoch !== found.epoch) await log.catchUp()
    else if (log.state.position < found.position) await log.catchUpTo(found.position)
    const { state } = log
    if (isAt(state, found.position, found.before)) return work.build(state, found.position, found.own())
  }
  throw notReady('Too much is changing at the moment. Try again.')
}

async function readAt<Part>(
  state: RealmState,
  read: Reader,
  { select, statement }: SnapshotWork<Part, unknown>,
) {
  const { changedAt, position, epoch } = state
  const before: Before = { state, changedAt, position, recent: state.recent.version }
  const wanted = [...select(state)]
  if (wanted.length === 0) return { before, position, epoch, own: () => new Map<Part, unknown>() }
  const head = headSelection(state.id)
  const selections = wanted.map(([, selected]) => selected)
  const [heads = [], ...rows] = await readTogether(read, [head, ...selections], statement)
  const { lastEventId, epoch: now } = head.take(heads)
  // A function, as memory may not have the rows yet to which these refer.
  const own = () => new Map(wanted.map(([part, { take }], i) => [part, take(rows[i]!)]))
  return { before, position: lastEventId, epoch: now, own }
}

/** Memory as it was before the database was read. */
type Before = { state: RealmState; changedAt: number; position: number; recent: number }

/** Whether the rows in memory, and the messages that the database was not asked for, are those of this position. */
function isAt(state: RealmState, position: number, before: Before): boolean {
  const { changedAt, recent } = state
  if (state !== before.state || changedAt !== before.changedAt || changedAt > position) return false
  return recent.version === before.recent && !recent.hasChangedBetween(before.position, position)
}
