import { ApiError } from '../../../lib/api-error.ts'
import type { Site } from '../../../lib/site.ts'
import { emailPattern, isEmail } from '../../../lib/text/email.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { addressRefusal } from '../../people/users/allowed-addresses.ts'
import { isStandIn } from '../../people/users/emails.ts'

/** An address that is not invited, the reason, and whether a deactivated user has it. */
export type Refusal = [email: string, reason: string, isDeactivated: boolean]

const blank = '[^\\S\\n\\r]*'
const invitee = `${blank}([^,\\n\\r<>]*<${blank}${emailPattern}${blank}>|${emailPattern})${blank}`

/** The pattern of a text of addresses, each alone or as `Name <address>`. */
export const inviteesPattern = `^${invitee}([,\\n\\r]+${invitee})*$`

/** Parses addresses separated by commas or line breaks, alone or as `Name <address>`, without duplicates. */
export function inviteeAddresses(text: string): string[] {
  const found = new Map<string, string>()
  for (const part of text.split(/[,\n\r]/)) {
    const address = (/<([^<>]*)>\s*$/.exec(part)?.[1] ?? part).trim()
    const key = address.toLowerCase()
    if (address !== '' && !found.has(key)) found.set(key, address)
  }
  return [...found.values()]
}

/** Returns the addresses that no user of this organization can have. */
export function invalidAddresses(realm: RealmState, addresses: string[]): Refusal[] {
  return addresses.flatMap((email): Refusal[] => {
    const reason = isEmail(email) ? addressRefusal(realm, email) : 'Invalid address.'
    return reason ? [[email, reason, false]] : []
  })
}

/** Returns the addresses that existing users have. */
export function knownAddresses(realm: RealmState, site: Site, addresses: string[]): Refusal[] {
  return addresses.flatMap((email): Refusal[] => {
    const user = realm.userByEmail(email.toLowerCase())
    if (user?.is_system_bot) return [[email, 'Reserved for system bots.', false]]
    if (user && !user.is_active) return [[email, 'Account has been deactivated.', true]]
    if (user || isStandIn(realm, site, email)) return [[email, 'Already has an account.', false]]
    return []
  })
}

/** Returns the error 400 for addresses that were not invited. */
export function invitationFailed(
  message: string,
  errors: Refusal[],
  { sent = false, dailyLimit = false }: { sent?: boolean; dailyLimit?: boolean } = {},
) {
  return new ApiError(message, 'INVITATION_FAILED', 400, {
    errors,
    sent_invitations: sent,
    license_limit_reached: false,
    daily_limit_reached: dailyLimit,
  })
}
