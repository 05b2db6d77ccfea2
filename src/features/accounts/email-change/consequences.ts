import type { Consequence } from '../../../log/consequences.ts'
import { endLinks } from '../../kernel/mail/links.ts'
import { mailOldAddress } from '../kernel/email-change/change-email.ts'

/** When a user's address changes, the old address is notified, and links that were mailed to it expire. */
export const consequences: Consequence[] = [
  {
    of: ['account'],
    async write({ change, rows }) {
      for (const { before, after } of rows('account')) {
        if (!before || !after || after.bot_type !== null) continue
        if (before.delivery_email === after.delivery_email) continue
        await endLinks(change, 'reset-password', after.id)
        await mailOldAddress(change, before, after.delivery_email)
      }
    },
  },
]
