import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { loginLimits } from './limits.ts'

/**
 * Returns how many guesses an attacker needs to find a password, as estimated: they try frequent passwords and words first, in
 * usual variants, then rows of keys, dates and repetitions. `words`: what else they try early.
 */
export async function guessesFor(password: string, words: string[]): Promise<number> {
  estimator ??= loadEstimator()
  return (await estimator).check(password, words).guesses
}

let estimator: Promise<ZxcvbnFactory> | undefined

/** Loaded with the first new password, as few requests set one. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core')
  const { dictionary, adjacencyGraphs } = await import('@zxcvbn-ts/language-common')
  return new ZxcvbnFactory({
    dictionary,
    graphs: adjacencyGraphs,
    // Passwords of many signs that may stand for letters would otherwise take seconds.
    maxLength: loginLimits.passwordEstimated,
    l33tMaxSubstitutions: loginLimits.passwordVariants,
  })
}
