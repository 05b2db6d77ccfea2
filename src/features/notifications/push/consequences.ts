import type { Consequence } from '../../../log/consequences.ts'
import { invalidateDevicesOf } from '../../kernel/push/devices.ts'

/** A device gets no more notifications once the API key or session that registered it has ended, in whatever way. */
export const consequences: Consequence[] = [
  {
    of: ['api_key', 'session'],
    async write({ change, rows }) {
      for (const { before, after } of rows('api_key')) {
        if (before && !after) await invalidateDevicesOf(change, before, 'api_key_id')
      }
      for (const { before, after } of rows('session')) {
        if (before && !after) await invalidateDevicesOf(change, before, 'session_id')
      }
    },
  },
]
