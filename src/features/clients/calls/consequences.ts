import type { Consequence } from '../../../log/consequences.ts'
import { forgetZoom } from '../kernel/calls/zoom-tokens.ts'

/** Deactivated users can make no calls. Bots never can. */
export const consequences: Consequence[] = [
  {
    of: ['account'],
    async write({ change, rows }) {
      for (const { before, after } of rows('account')) {
        const isDeactivated = before?.is_active && after && !after.is_active
        if (isDeactivated && after.bot_type === null) await forgetZoom(change, after.id)
      }
    },
  },
]
