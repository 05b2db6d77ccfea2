import type { Consequence, RowChanges } from '../../../../log/consequences.ts'
import type { Audience } from '../../../../log/entry.ts'
import { guestsMet } from './visibility.ts'

/**
 * Calls `emit` for each user of whom clients begin to show more than the name: a reactivated user, for everyone, and a user whom guests
 * begin to see, for these guests.
 */
export function whenNewlyShown(
  emit: (rowChanges: RowChanges, userId: number, audience: Audience) => void,
): Consequence[] {
  return [
    {
      of: ['account'],
      emitLast(rowChanges) {
        for (const { before, after } of rowChanges.rows('account')) {
          if (before && after?.is_active && !before.is_active) emit(rowChanges, after.id, { everyone: true })
        }
      },
    },
    {
      of: ['subscription', 'recipient'],
      emitLast(rowChanges) {
        for (const { userId, viewerIds } of guestsMet(rowChanges, 'gained').met) {
          emit(rowChanges, userId, { users: viewerIds })
        }
      },
    },
  ]
}
