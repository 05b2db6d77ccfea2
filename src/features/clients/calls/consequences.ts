import type { Consequence } from '../../../log/consequences.ts'
import { forgetZoom } from '../kernel/calls/zoom-tokens.ts'

/** Deactivated users can make no calls. */
export const consequences: Consequence[] = [
  {
    of: ['account'],
    async write({ change, rows }) {
      for (const { before, after } of rows('account')) {
        if (before?.is_active && after && !after.is_active) await forgetZoom(change, after.id)
      }
    },
  },
]
