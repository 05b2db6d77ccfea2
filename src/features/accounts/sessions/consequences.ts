import type { Consequence } from '../../../log/consequences.ts'
import { endSessions } from '../kernel/sessions/sessions.ts'

/** Deactivated users are logged out. */
export const consequences: Consequence[] = [
  {
    of: ['account'],
    async write({ change, rows }) {
      for (const { before, after } of rows('account')) {
        if (before?.is_active && after && !after.is_active) await endSessions(change, after.id)
      }
    },
  },
]
