import { hash, verify } from '@node-rs/argon2'
import { text } from '../../../../http/params.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import { firstIn } from '../../../../lib/must.ts'
import { loginLimits } from './limits.ts'

/** A new password, to be checked with checkPasswordStrength. */
export const newPasswordParam = () =>
  text({ max: loginLimits.passwordLength }).documentedAs({ minLength: loginLimits.passwordMinLength })

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

/** Throws if a password is too short, has too few different characters, or is the user's own name or address. */
export function checkPasswordStrength(password: string, person: { email: string; fullName: string }) {
  const lower = password.toLowerCase()
  const { email, fullName } = person
  const obvious = [email, firstIn(email.split('@')), fullName, fullName.replaceAll(' ', '')]
  const isWeak =
    [...password].length < loginLimits.passwordMinLength ||
    new Set(lower).size < 4 ||
    obvious.some((word) => word.toLowerCase() === lower)
  if (isWeak) throw badRequest('The password is too weak.')
}

const decoy = hashPassword('nobody has this password')
