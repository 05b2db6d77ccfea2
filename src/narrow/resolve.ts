import { allOf, type Condition } from './condition.ts'
import { badCombination, NarrowError } from './error.ts'
import { everything, type NarrowLookup, operators, unknownOperator } from './operators.ts'
import type { Term } from './terms.ts'

/** Returns the condition of a narrow. Throws NarrowError if a term refers to nothing. */
export function resolveNarrow(terms: Term[], lookup: NarrowLookup): Condition {
  checkCanMatch(terms)
  return allOf(withoutRepeats(terms).flatMap((term) => resolveTerm(term, lookup)))
}

/**
 * Resolves the narrow of an event queue, where a channel or user that does not exist is no error: it matches nothing until it
 * does. Resolve again when a conversation or channel begins.
 */
export function resolveQueueNarrow(terms: Term[], lookup: NarrowLookup): Condition {
  return allOf(
    withoutRepeats(terms).flatMap((term) => {
      try {
        return resolveTerm(term, lookup)
      } catch (error) {
        if (error instanceof NarrowError) return { kind: 'none' }
        throw error
      }
    }),
  )
}

/** Throws if some terms require channel messages, and others direct messages. */
function checkCanMatch(terms: Term[]) {
  const wanted = terms.filter((term) => !term.negated)
  const isOfChannels = ({ operator }: Term) => ['channel', 'channels', 'topic'].includes(operator)
  const isDirect = ({ operator, operand }: Term) =>
    ['dm', 'dm-including', 'group-pm-with'].includes(operator) || (operator === 'is' && operand === 'dm')
  if (wanted.some(isOfChannels) && wanted.some(isDirect)) {
    throw badCombination('No message can be both a channel message and direct message')
  }
}

/** Removes terms that repeat another. */
function withoutRepeats(terms: Term[]): Term[] {
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()]
}

/** A term that restricts nothing is no condition; negated it does not restrict either. */
function resolveTerm(term: Term, lookup: NarrowLookup): Condition[] {
  const operator = operators.get(term.operator) ?? unknownOperator(term.operator)
  const condition = operator.resolve(term.operand, lookup)
  if (condition === everything) return []
  return [term.negated && operator.negatable ? { kind: 'not', of: condition } : condition]
}
