import type { Consequence } from '../../../log/consequences.ts'
import { endLinks } from '../../kernel/mail/links.ts'
import { mailOldAddress } from '../kernel/email-change/change-email.ts'

/**
 * When a user's address changes, the old address is notified. Links for a new password or address expire then, and when
 * the user is deactivated: the user of an account who had to leave it cannot return through a link from before.
 */
export const consequences: Consequence[] = [
  {
    of: ['account'],
    async write({ change, rows }) {
      for (const { before, after } of rows('account')) {
        if (!before || !after || after.bot_type !== null) continue
        const hasMoved = before.delivery_email !== after.delivery_email
        if (!hasMoved && !(before.is_active && !after.is_active)) continue
        for (const kind of ['reset-password', 'change-email'] as const) await endLinks(change, kind, after.id)
        if (hasMoved) await mailOldAddress(change, before, after.delivery_email)
      }
    },
  },
]
