import type { AccountRow } from '../../../../db/schema.ts'
import type { RequestInfo } from '../../../../http/endpoint.ts'
import { notReady } from '../../../../lib/api-error.ts'
import { FairSemaphore, type SemaphoreCaller, TurnMissed } from '../../../../lib/fair-semaphore.ts'
import { limits } from '../../../../lib/limits.ts'
import type { RealmState } from '../../../../log/realm-state.ts'

/** Whose picture it is, and a signal for when nobody waits for it any more. */
export type Drawer = { caller: SemaphoreCaller; gone: AbortSignal }

/** For a picture that came with a request. */
export function drawerOf(context: { realm: RealmState; me: AccountRow; request: RequestInfo }): Drawer {
  return { caller: pictureCaller(context.realm.id, context.me.id), gone: context.request.gone() }
}

export function pictureCaller(realmId: number, userId: number): SemaphoreCaller {
  return { group: String(realmId), name: String(userId) }
}

/**
 * Drawing takes a core for as long as it lasts. Few pictures are drawn at the same time, and one of each person, so that a
 * flood of them leaves the machine, and the next turn, to everybody else.
 */
export const drawingTurns = new FairSemaphore(limits.picturesAtOnce, 1)

/** Looking at the head of a file takes little time, but the whole file is in memory. */
export const lookingTurns = new FairSemaphore(limits.picturesAtOnce, 1)

/** Does the work when it is this person's turn. Throws 503 if that takes too long. */
export async function inTurn<T>(
  turns: FairSemaphore,
  { caller, gone }: Drawer,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await turns.run(caller, limits.pictureWaitSeconds, gone, work)
  } catch (error) {
    if (error instanceof TurnMissed) {
      throw notReady('Too many pictures are being drawn. Try again in a moment.')
    }
    throw error
  }
}
