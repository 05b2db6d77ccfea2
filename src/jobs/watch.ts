import { type RawBuilder, sql } from 'kysely'
import type { Connections } from '../db/database.ts'
import { type Repeated, repeatEvery } from '../lib/async/repeat-every.ts'
import type { RealmLog } from '../log/realm-log.ts'
import type { Realms } from '../log/realms.ts'
import { Attention } from './attention.ts'

type Behind = { realm_id: number }

type Watch = {
  seconds: number
  /** The query that finds the organizations with work left. */
  behind: RawBuilder<Behind>
  /**
   * Does the next part of the work in one organization. Returns whether more may be left. Several nodes may run it
   * concurrently; so may one node, for rows that a move left in another database.
   */
  step(log: RealmLog): Promise<boolean>
}

/**
 * Regularly does the work that follows from the logs of organizations, on this node. If one organization fails, or a
 * further database does not respond, the others are not delayed.
 */
export function watch(
  realms: Realms,
  work: Watch,
  clock: () => number,
  report: (error: unknown) => void,
): Repeated {
  const watches = realms.databases.all.map((database) => watchIn(database, realms, work, clock, report))
  return {
    now() {
      for (const one of watches) one.now()
    },
    async round() {
      await Promise.all(watches.map((one) => one.round()))
    },
    async close() {
      await Promise.all(watches.map((one) => one.close()))
    },
  }
}

function watchIn(
  { read }: Connections,
  realms: Realms,
  { seconds, behind, step }: Watch,
  clock: () => number,
  report: (error: unknown) => void,
): Repeated {
  const attention = new Attention(realms, clock)
  const find = async () => {
    const ids = attention.take()
    if (ids?.length === 0) return []
    const query = ids
      ? sql<Behind>`SELECT realm_id FROM (${behind}) AS b WHERE realm_id = ANY(${ids}::integer[])`
      : behind
    return read.rows(query).catch((error) => {
      attention.noteAll()
      throw error
    })
  }
  const look = async (stopping: AbortSignal) => {
    for (const { realm_id } of await find()) {
      // It is checked again next time, even if no work is left now, or if the work fails.
      attention.note(realm_id)
      try {
        const log = await realms.byId(realm_id)
        while (!stopping.aborted && (await step(log))) {}
      } catch (error) {
        report(error)
      }
    }
  }
  const repeated = repeatEvery(seconds, look, report)
  return {
    ...repeated,
    round() {
      attention.noteAll()
      return repeated.round()
    },
  }
}
