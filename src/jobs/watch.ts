import { type RawBuilder, sql } from 'kysely'
import { type Repeated, repeatEvery } from '../lib/repeat-every.ts'
import type { RealmLog } from '../log/realm-log.ts'
import type { Realms } from '../log/realms.ts'
import { Attention } from './attention.ts'

type Behind = { realm_id: number }

type Watch = {
  seconds: number
  /** Finds the organizations that have work. */
  behind: RawBuilder<Behind>
  /**
   * Does the next part of it in one of them, and returns whether there may be more. Several nodes may run it
   * concurrently.
   */
  step(log: RealmLog): Promise<boolean>
}

/**
 * Regularly processes what follows from the logs of organizations, on this node. The failure of one delays no other.
 */
export function watch(
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
    const finds = await Promise.allSettled(realms.databases.all.map(({ read }) => read.rows(query)))
    for (const failed of finds.filter((find) => find.status === 'rejected')) {
      attention.noteAll()
      report(failed.reason)
    }
    return finds.flatMap((find) => (find.status === 'fulfilled' ? find.value : []))
  }
  const look = async (stopping: AbortSignal) => {
    for (const { realm_id } of await find()) {
      // Also if there is no more now, or it fails.
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
