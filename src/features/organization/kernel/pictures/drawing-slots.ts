import type { AccountRow } from '../../../../db/schema.ts'
import type { RequestInfo } from '../../../../http/endpoint.ts'
import { FairSemaphore, type SemaphoreCaller, slotError } from '../../../../lib/async/fair-semaphore.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { pictureLimits } from './limits.ts'

/** The user who sent the picture, and a signal that fires when the request is abandoned. */
export type Drawer = { caller: SemaphoreCaller; gone: AbortSignal }

/** Returns the drawer for a picture that came with a request. */
export function drawerOf(context: { realm: RealmState; me: AccountRow; request: RequestInfo }): Drawer {
  return { caller: pictureCaller(context.realm.id, context.me.id), gone: context.request.gone() }
}

export function pictureCaller(realmId: number, userId: number): SemaphoreCaller {
  return { group: String(realmId), name: String(userId) }
}

const waitingLimits = { most: pictureLimits.picturesWaiting, each: pictureLimits.picturesWaitingEach }

/**
 * Drawing occupies a CPU core. Only a few pictures are drawn concurrently, and only one for each user, so that one
 * user's many pictures cannot delay other users.
 */
export const drawingSlots = new FairSemaphore(pictureLimits.concurrentPictures, 1, waitingLimits)

/** Reading a file's header takes little time, but the whole file is in memory. */
export const inspectionSlots = new FairSemaphore(pictureLimits.concurrentPictures, 1, waitingLimits)

/** Runs the work when the semaphore admits this user. Throws 503 if that takes too long, or 429 if the user waits for many. */
export async function withSlot<T>(
  slots: FairSemaphore,
  { caller, gone }: Drawer,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await slots.run(caller, pictureLimits.pictureWaitSeconds, gone, work)
  } catch (error) {
    throw slotError(error, 'Too many pictures are being drawn. Try again in a moment.')
  }
}
