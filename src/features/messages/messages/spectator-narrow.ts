import { notLoggedIn } from '../../../http/access.ts'
import { NarrowError } from '../../../narrow/error.ts'
import { parseNarrow, type Term } from '../../../narrow/terms.ts'

/** What a narrow may ask that does not depend on who reads. */
const operators = ['channel', 'channels', 'topic', 'sender', 'has', 'search', 'near', 'id', 'with']

/**
 * Throws 401 unless a narrow (decoded from JSON) says that only web-public channels are meant: so a client that has
 * lost its login learns of that, instead of getting a part of what it asked for, or what is wrong with its narrow.
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
