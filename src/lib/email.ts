import { limits } from './limits.ts'

/** Whether a text has the form of an e-mail address. */
export function isEmail(address: string): boolean {
  const at = address.lastIndexOf('@')
  if (at < 0 || address.length > limits.emailLength) return false
  const labels = address.slice(at + 1).split('.')
  return local.test(address.slice(0, at)) && labels.every((label) => domainLabel.test(label))
}

// ASCII only, so that the database and we agree on which addresses differ by case alone.
const local = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/
const domainLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i
