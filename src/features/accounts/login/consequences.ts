import type { Consequence } from '../../../log/consequences.ts'
import { endApiKeys } from '../../bots/kernel/login/api-keys.ts'

/**
 * A deactivated user keeps their keys, so that clients receive the reason of the refusal. The keys are revoked when the
 * user is reactivated. A bot keeps its key.
 */
export const consequences: Consequence[] = [
  {
    of: ['account'],
    async write({ change, rows }) {
      for (const { before, after } of rows('account')) {
        const isBack = before && after && !before.is_active && after.is_active
        if (isBack && after.bot_type === null) await endApiKeys(change, after.id)
      }
    },
  },
]
