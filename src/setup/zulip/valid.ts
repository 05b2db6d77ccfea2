import { ApiError } from '../../lib/api-error.ts'

/** Returns what a check returns; undefined if it refuses, as it would refuse a request. */
export function unlessRefused<T>(check: () => T): T | undefined {
  try {
    return check()
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
