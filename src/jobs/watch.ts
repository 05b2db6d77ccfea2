import type { RawBuilder } from 'kysely'
import { type Repeated, repeatEvery } from '../lib/repeat-every.ts'
import type { RealmLog } from '../log/realm-log.ts'
import type { Realms } from '../log/realms.ts'

type Watch = {
  seconds: number
  /** Finds the organizations that have work. */
  behind: RawBuilder<{ realm_id: number }>
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
  report: (error: unknown) => void,
): Repeated {
  const look = async (stopping: AbortSignal) => {
    for (const { realm_id } of await realms.connections.read.rows(behind)) {
      try {
        const log = await realms.byId(realm_id)
        while (!stopping.aborted && (await step(log))) {}
      } catch (error) {
        report(error)
      }
    }
  }
  return repeatEvery(seconds, look, report)
}
