import { libLimits } from '../limits.ts'

/** Whether a text has the form of an email address. */
export function isEmail(address: string): boolean {
  return address.length <= libLimits.emailLength && form.test(address)
}

// ASCII only, so that the database and we agree on which addresses differ by case alone.
const local = "[\\w.!#$%&'*+/=?^`{|}~-]{1,64}"
const label = '[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'

/** The source of a regular expression that matches an address within a text. */
export const emailPattern = `${local}@${label}(\\.${label})*`

const form = new RegExp(`^${emailPattern}$`)
