import { isLonger } from '../lib/text/characters.ts'
import { badNarrow, badShape } from './error.ts'
import { narrowLimits } from './limits.ts'

/** An operand: a text, an id, or ids. */
export type Operand = string | number | number[]

/** A part of a JSON Schema. */
export type OperandSchema = Record<string, unknown>

/** Returns the operand with its type, or throws NarrowError. `schema` describes the operands that it accepts. */
export type OperandCheck<T extends Operand> = ((operand: unknown) => T) & { schema: OperandSchema }

export function operandCheck<T extends Operand>(
  schema: OperandSchema,
  check: (operand: unknown) => T,
): OperandCheck<T> {
  return Object.assign(check, { schema })
}

/** Throws NarrowError for an operand that is too long for its operator, whatever else it is. */
export function checkOperandLength(operator: string, operand: unknown, maxLength: number) {
  if (typeof operand === 'string' && isLonger(operand, maxLength)) {
    throw badShape(`${operator} operand is too long (limit: ${maxLength} characters)`)
  }
  if (Array.isArray(operand) && operand.length > narrowLimits.operandIds) {
    throw badShape(`${operator} operand is too long (limit: ${narrowLimits.operandIds} ids)`)
  }
}

const text = { type: 'string', maxLength: narrowLimits.operandLength }
const id = { type: 'integer' }

export const textOperand = operandCheck(text, (operand) => {
  if (typeof operand !== 'string') throw badShape('operand is not a string')
  return operand
})

export const notBlank = operandCheck({ ...text, pattern: '\\S' }, (operand) => {
  if (textOperand(operand).trim() === '') throw badShape('operand cannot be blank.')
  return textOperand(operand)
})

export const textOrId = operandCheck({ anyOf: [text, id] }, (operand) => {
  if (typeof operand !== 'string' && !isInteger(operand)) throw badShape('operand is not a string or integer')
  return operand
})

const addresses = { type: 'string', maxLength: narrowLimits.addressesLength }
const ids = { type: 'array', items: id, maxItems: narrowLimits.operandIds }

export const textOrIds = operandCheck<Operand>({ anyOf: [addresses, id, ids] }, (operand) => {
  if (typeof operand === 'string' || isInteger(operand)) return operand
  if (!Array.isArray(operand)) throw badShape('operand is not a string or an integer list')
  for (const [index, item] of operand.entries()) {
    if (!isInteger(item)) throw badShape(`operand[${index}] is not an integer`)
  }
  return operand
})

export const messageId = idOf('Invalid message ID')
export const withMessage = idOf("Invalid 'with' operator")

function idOf(problem: string): OperandCheck<number> {
  const digits = { type: 'string', pattern: '^[0-9]{1,15}$' }
  return operandCheck({ anyOf: [digits, { type: 'integer', minimum: 0 }] }, (operand) => {
    const id = /^\d+$/.test(String(textOrId(operand))) ? Number(operand) : Number.NaN
    if (!isInteger(id)) throw badNarrow(problem)
    return id
  })
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}
