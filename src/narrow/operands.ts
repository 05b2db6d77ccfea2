import { isLonger } from '../lib/is-longer.ts'
import { badNarrow, badShape } from './error.ts'

/** What may stand beside an operator: a text, an id, or ids. */
export type Operand = string | number | number[]

/** Gives the operand back with its type, or throws NarrowError. */
export type OperandCheck<T extends Operand> = (operand: unknown) => T

/** In characters: longer than any name, and than any search. */
export const maxTextLength = 1_000

/** The same for the addresses of many users, with commas between. */
export const maxAddressesLength = 10_000

const maxIds = 1_000

/** Throws NarrowError for an operand that is too long for its operator, whatever else it is. */
export function checkOperandLength(operator: string, operand: unknown, maxLength: number) {
  if (typeof operand === 'string' && isLonger(operand, maxLength)) {
    throw badShape(`${operator} operand is too long (limit: ${maxLength} characters)`)
  }
  if (Array.isArray(operand) && operand.length > maxIds) {
    throw badShape(`${operator} operand is too long (limit: ${maxIds} ids)`)
  }
}

export const textOperand: OperandCheck<string> = (operand) => {
  if (typeof operand !== 'string') throw badShape('operand is not a string')
  return operand
}

export const notBlank: OperandCheck<string> = (operand) => {
  if (textOperand(operand).trim() === '') throw badShape('operand cannot be blank.')
  return textOperand(operand)
}

export const textOrId: OperandCheck<string | number> = (operand) => {
  if (typeof operand !== 'string' && !isInteger(operand)) throw badShape('operand is not a string or integer')
  return operand
}

export const textOrIds: OperandCheck<Operand> = (operand) => {
  if (typeof operand === 'string' || isInteger(operand)) return operand
  if (!Array.isArray(operand)) throw badShape('operand is not a string or an integer list')
  for (const [index, item] of operand.entries()) {
    if (!isInteger(item)) throw badShape(`operand[${index}] is not an integer`)
  }
  return operand
}

export const messageId = idOf('Invalid message ID')
export const withMessage = idOf("Invalid 'with' operator")

function idOf(problem: string): OperandCheck<number> {
  return (operand) => {
    const id = /^\d+$/.test(String(textOrId(operand))) ? Number(operand) : Number.NaN
    if (!isInteger(id)) throw badNarrow(problem)
    return id
  }
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}
