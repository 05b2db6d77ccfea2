import { z } from 'zod'
import { ApiError } from '../../../lib/api-error.ts'
import { realmLimits } from './limits.ts'

/** Describes what `checkedTimeLimit` takes, and other words. */
export function timeLimitSchema(words: readonly string[]) {
  return z.union([z.int().min(1).max(realmLimits.longestTimeLimit), z.enum(words)])
}

/**
 * Returns a positive number of seconds or days, or the stored value for the word `unlimited`. Throws for anything else.
 */
export function checkedTimeLimit<None>(name: string, sent: number | string, unlimited: None): number | None {
  if (sent === 'unlimited') return unlimited
  if (typeof sent === 'number' && sent > 0 && sent <= realmLimits.longestTimeLimit) return sent
  throw new ApiError(`Bad value for '${name}': ${sent}`, 'REQUEST_VARIABLE_INVALID', 400, {
    var_name: name,
    bad_value: sent,
  })
}
