import { hash, verify } from '@node-rs/argon2'
import { text } from '../../../../http/params.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import { limits } from '../../../../lib/limits.ts'

/** A password to be, which checkPasswordStrength looks at. */
export const newPasswordParam = () =>
  text({ max: limits.passwordLength }).documentedAs({ minLength: limits.passwordMinLength })

/** argon2id, with the parameters that OWASP recommends (19 MiB, two passes). Runs off the event loop. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
}

/** Takes as long for an account that does not exist (`stored` undefined) as for a wrong password. */
export async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  const known = stored ?? (await decoy)
  const matches = await verify(known, password)
  return matches && stored !== undefined
}

/** Throws for a password that is too short, of hardly any different characters, or the person's own name or address. */
export function checkPasswordStrength(password: string, person: { email: string; fullName: string }) {
  const lower = password.toLowerCase()
  const { email, fullName } = person
  const obvious = [email, email.split('@')[0]!, fullName, fullName.replaceAll(' ', '')]
  const isWeak =
    [...password].length < limits.passwordMinLength ||
    new Set(lower).size < 4 ||
    obvious.some((word) => word.toLowerCase() === lower)
  if (isWeak) throw badRequest('The password is too weak.')
}

const decoy = hashPassword('nobody has this password')
