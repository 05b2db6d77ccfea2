import { notLoggedIn } from '../../http/access.ts'
import { parseNarrow, type Term } from '../../narrow/terms.ts'

/** What a narrow may ask that does not depend on who reads. */
const operators = ['channel', 'channels', 'topic', 'sender', 'has', 'search', 'near', 'id', 'with']

/**
 * Throws 401 unless a narrow (decoded from JSON) says that only web-public channels are meant: so a client that has
 * lost its login learns of that, instead of getting a part of what it asked for. Throws NarrowError for what is none.
 */
export function checkSpectatorNarrow(narrow: unknown) {
  const terms = narrow === undefined ? [] : parseNarrow(narrow)
  if (!terms.some(isWebPublic) || !terms.every(isForAnyone)) throw notLoggedIn()
}

function isWebPublic({ operator, operand, negated }: Term) {
  return operator === 'channels' && operand === 'web-public' && !negated
}

function isForAnyone({ operator, operand }: Term) {
  return operators.includes(operator) || (operator === 'is' && operand === 'resolved')
}
