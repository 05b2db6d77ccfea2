import { hash, verify } from '@node-rs/argon2'
import { text } from '../../../../http/params.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { guessesFor } from './guesses.ts'
import { loginLimits } from './limits.ts'

/** A new password, which hashNewPassword checks. */
export const newPasswordParam = () =>
  text({ max: loginLimits.passwordLength }).documentedAs({ minLength: loginLimits.passwordMinLength })

/** The user whom a password is for. */
type Person = { email: string; fullName: string }

/** Returns the hash of a new password. Throws 400 if it is too short or easily guessed. */
export async function hashNewPassword(realm: RealmState, password: string, person: Person): Promise<string> {
  const isLong = [...password].length >= loginLimits.passwordMinLength
  const guesses = isLong ? await guessesFor(password, wordsOf(realm, person)) : 0
  if (guesses < loginLimits.passwordMinGuesses) throw badRequest('The password is too weak.')
  return hashPassword(password)
}

/** Returns what an attacker tries first, who knows the user and the organization: whole names, and the words in them. */
function wordsOf({ row }: RealmState, { email, fullName }: Person): string[] {
  const names = [email, ...email.split('@'), fullName, row.name, row.subdomain]
  const words = names.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u))
  return [...names, fullName.replaceAll(' ', ''), ...words].filter((word) => word !== '')
}

/** Hashes with argon2id and the parameters that OWASP recommends (19 MiB, two passes). Runs off the event loop. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
}

/**
 * Checks a password. Takes as long for an unknown account (`stored` undefined) as for a wrong password. Nothing matches a
 * hash that asks for more than this server gives.
 */
export async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  const isKnown = stored !== undefined && isAffordable(stored)
  const matches = await verify(isKnown ? stored : await decoy, password)
  return matches && isKnown
}

function isAffordable(stored: string): boolean {
  const [, memory, passes] = /^\$argon2id?\$v=19\$m=(\d+),t=(\d+),p=\d\d?\$/.exec(stored) ?? []
  return Number(memory) <= loginLimits.passwordHashMemory && Number(passes) <= loginLimits.passwordHashPasses
}

const decoy = hashPassword('nobody has this password')
