import { badShape } from './error.ts'
import { narrowLimits } from './limits.ts'
import { checkOperandLength, type Operand } from './operands.ts'
import { everything, operators, unknownOperator } from './operators.ts'
import { checkSearches } from './search.ts'

export { NarrowError } from './error.ts'

/** One term of a narrow, under the operator's canonical name. */
export type Term = { operator: string; operand: Operand; negated: boolean }

/**
 * The terms of a narrow as clients send it, decoded from JSON: a list of `[operator, operand]` (both texts) and
 * `{ operator, operand, negated? }`. What they refer to is not looked up yet. Throws NarrowError.
 */
export function parseNarrow(value: unknown): Term[] {
  if (!Array.isArray(value)) throw badShape('narrow is not a list')
  // In the words in which parameters refuse a list that is too long.
  if (value.length > narrowLimits.terms)
    throw badShape(`narrow has too many values (limit: ${narrowLimits.terms})`)
  const terms = value.map((element, index) => parseTerm(element, `narrow[${index}]`))
  checkSearches(terms.filter((term) => term.operator === 'search').map((term) => String(term.operand)))
  return terms
}

/**
 * Parses the terms of an event queue's narrow, which has fewer operators, takes pairs of texts only and has its own
 * error text. Throws NarrowError.
 */
export function parseQueueNarrow(value: [string, string][]): Term[] {
  return value.flatMap(([name, operand]) => {
    const isWord = name === 'is' && operand === 'private'
    const isIn = operators.get(aliases.get(name) ?? name)?.inQueues(isWord ? 'dm' : operand)
    if (!isIn) throw badShape(`Operator ${name} not supported.`)
    return isIn === everything ? [] : [canonical(name, operand, false)]
  })
}

function parseTerm(element: unknown, place: string): Term {
  if (Array.isArray(element)) {
    const [operator, operand] = element
    if (element.length !== 2 || typeof operator !== 'string' || typeof operand !== 'string') {
      throw badShape(`Invalid ${place}: Value error, element is not a string pair`)
    }
    return canonical(operator, operand, false)
  }
  if (typeof element !== 'object' || element === null) {
    throw badShape(`Invalid ${place}: Value error, dict or list required`)
  }
  if (!('operator' in element)) throw badShape(`Invalid ${place}: Value error, operator is missing`)
  if (!('operand' in element)) throw badShape(`Invalid ${place}: Value error, operand is missing`)
  const { operator, operand } = element
  const negated = 'negated' in element ? element.negated : false
  if (typeof operator !== 'string') throw badShape(`${place}["operator"] is not a string`)
  if (typeof negated !== 'boolean') throw badShape(`${place}["negated"] is not a boolean`)
  return canonical(operator, operand, negated)
}

/** Former names of operators, which clients still send. */
export const aliases: ReadonlyMap<string, string> = new Map([
  ['stream', 'channel'],
  ['streams', 'channels'],
  ['pm-with', 'dm'],
  ['pm_with', 'dm'],
  ['group_pm_with', 'group-pm-with'],
])

function canonical(name: string, value: unknown, negated: boolean): Term {
  const operator = aliases.get(name) ?? name
  const operand = operator === 'is' && value === 'private' ? 'dm' : value
  const { check, maxLength } = operators.get(operator) ?? unknownOperator(operator)
  checkOperandLength(operator, operand, maxLength)
  return { operator, operand: check(operand), negated }
}
