import type { Consequence } from '../../../log/consequences.ts'
import { endApiKeys } from '../../bots/kernel/login/api-keys.ts'

/**
 * The keys of a user are kept while the user is deactivated, so that clients hear why they are refused, and end when the
 * user is active again. A bot keeps its key.
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
