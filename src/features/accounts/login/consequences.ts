import type { Consequence } from '../../../log/consequences.ts'
import { endApiKeys } from '../../bots/kernel/login/api-keys.ts'

/**
 * A deactivated user keeps their keys, so that clients receive the reason of the refusal. The keys are revoked when the
 * user is reactivated. A bot keeps its key, unless it comes back with another owner: the one before may have the key.
 */
export const consequences: Consequence[] = [
  {
    of: ['account'],
    async write({ change, rows }) {
      for (const { before, after } of rows('account')) {
        const isBack = before && after && !before.is_active && after.is_active
        const isSameBot = after?.bot_type !== null && before?.bot_owner_id === after?.bot_owner_id
        if (isBack && !isSameBot) await endApiKeys(change, after.id)
      }
    },
  },
]
