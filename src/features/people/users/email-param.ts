import { text } from '../../../http/params.ts'
import { libLimits } from '../../../lib/limits.ts'
import { emailPattern } from '../../../lib/text/email.ts'

/** An email address, trimmed. The operation checks its form, with an error text of its own. */
export const emailParam = () =>
  text({ trim: true }).documentedAs({
    format: 'email',
    minLength: 3,
    maxLength: libLimits.emailLength,
    pattern: `^${emailPattern}$`,
  })
