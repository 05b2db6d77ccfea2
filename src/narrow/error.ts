import { ApiError } from '../lib/api-error.ts'

/** A narrow that cannot be understood; always a 400. */
export class NarrowError extends ApiError {}

/** An unknown operator or invalid operand. */
export function badNarrow(text: string): NarrowError {
  return new NarrowError(`Invalid narrow operator: ${text}`, 'BAD_NARROW', 400, { desc: text })
}

/** Terms that exclude each other: no message satisfies them all. */
export function badCombination(text: string): NarrowError {
  return new NarrowError(`Invalid narrow operator combination: ${text}`, 'BAD_NARROW', 400, { desc: text })
}

/** A narrow of the wrong shape. */
export function badShape(text: string): NarrowError {
  return new NarrowError(text)
}
