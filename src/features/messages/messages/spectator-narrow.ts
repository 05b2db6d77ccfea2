import { notLoggedIn } from '../../../http/access.ts'
import { NarrowError } from '../../../narrow/error.ts'
import { parseNarrow, type Term } from '../../../narrow/terms.ts'

/** Operators that do not depend on the reader. */
const operators = ['channel', 'channels', 'topic', 'sender', 'has', 'search', 'near', 'id', 'with']

/**
 * Throws 401 unless a narrow (decoded from JSON) names only web-public channels. So a client with an expired login
 * learns that, instead of receiving a part of the result or an error about its narrow.
 */
export function checkSpectatorNarrow(narrow: unknown) {
  const terms = termsOf(narrow)
  if (!terms.some(isWebPublic) || !terms.every(isForAnyone)) throw notLoggedIn()
}

function termsOf(narrow: unknown): Term[] {
  try {
    return narrow === undefined ? [] : parseNarrow(narrow)
  } catch (error) {
    if (error instanceof NarrowError) throw notLoggedIn()
    throw error
  }
}

function isWebPublic({ operator, operand, negated }: Term) {
  return operator === 'channels' && operand === 'web-public' && !negated
}

function isForAnyone({ operator, operand }: Term) {
  return operators.includes(operator) || (operator === 'is' && operand === 'resolved')
}
