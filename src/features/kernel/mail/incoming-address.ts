import { isSameSecret } from '../../../lib/secrets/is-same-secret.ts'
import type { Site } from '../../../lib/site.ts'

/**
 * The purpose of an address. `channel`: mails are posted there by the sender that a user chose. `reply`: mails are the
 * user's reply to a message.
 */
export type MailPurpose =
  | { kind: 'channel'; realmId: number; channelId: number; userId: number; senderId: number }
  | { kind: 'reply'; realmId: number; userId: number; messageId: number }

/** The parts of a server that addresses depend on. */
type MailSite = Pick<Site, 'mailInDomain' | 'secrets'>

/**
 * Returns the address for a purpose; undefined on a server that takes no mail. It cannot be guessed. It is in lower
 * case, as mail servers may change the case. `name`: a readable text to begin with.
 */
export function incomingAddress(site: MailSite, purpose: MailPurpose, name = ''): string | undefined {
  if (site.mailInDomain === undefined) return undefined
  const ids = idsOf(purpose)
  const token = `${ids}-${signatureOf(site, ids)}`
  const shown = readable(name, localPartLength - token.length - 1)
  return `${shown && `${shown}.`}${token}@${site.mailInDomain}`
}

/** Returns the purpose of an address; undefined for one that this server has not made. */
export function purposeOf(site: MailSite, address: string): MailPurpose | undefined {
  const [, local = '', domain] = /^(.*)@([^@]*)$/s.exec(address.toLowerCase()) ?? []
  if (domain !== site.mailInDomain || local.length > localPartLength) return undefined
  const token = local.slice(local.lastIndexOf('.') + 1)
  const [, ids = '', kind, numbers = '', signature = ''] =
    /^(([cr])([0-9a-z]{1,11}(?:-[0-9a-z]{1,11}){2,3}))-([a-z2-7]+)$/.exec(token) ?? []
  if (!isSameSecret(signature, signatureOf(site, ids))) return undefined
  const [realmId = 0, second = 0, third = 0, fourth = 0] = numbers
    .split('-')
    .map((number) => Number.parseInt(number, 36))
  return kind === 'c'
    ? { kind: 'channel', realmId, channelId: second, userId: third, senderId: fourth }
    : { kind: 'reply', realmId, userId: second, messageId: third }
}

/** The longest local part that mail servers accept. */
const localPartLength = 64

function idsOf(purpose: MailPurpose): string {
  const { realmId, userId } = purpose
  const numbers =
    purpose.kind === 'channel'
      ? [realmId, purpose.channelId, userId, purpose.senderId]
      : [realmId, userId, purpose.messageId]
  return `${purpose.kind === 'channel' ? 'c' : 'r'}${numbers.map((number) => number.toString(36)).join('-')}`
}

/** Characters that are not easily confused with each other. */
const digits = 'abcdefghijklmnopqrstuvwxyz234567'

/** Returns 100 bits of the signature: 20 characters. */
function signatureOf({ secrets }: MailSite, ids: string): string {
  const bytes = secrets.sign('address for incoming mail', ids)
  return Array.from(bytes.subarray(0, 20), (byte) => digits[byte % digits.length]).join('')
}

/** Returns a name in characters that any mail server accepts. */
function readable(name: string, most: number): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
  return plain.slice(0, Math.max(0, most)).replace(/^-+|-+$/g, '')
}
