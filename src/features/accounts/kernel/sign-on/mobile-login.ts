import type { AccountRow } from '../../../../db/schema.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import { must } from '../../../../lib/must.ts'
import { realmUrl, type Site } from '../../../../lib/site.ts'
import type { RealmState } from '../../../../log/realm-state.ts'

/**
 * Checks the 32 random bytes, in hexadecimal, of a mobile client that logs in through a browser. Throws 400 for
 * anything else.
 */
export function checkOtp(otp: string): string {
  if (/^[0-9a-f]{64}$/i.test(otp)) return otp.toLowerCase()
  throw badRequest('Invalid OTP')
}

/**
 * Returns the address that passes the key from the browser to the client. The key is encrypted with the client's bytes,
 * so only the client can read it.
 */
export function mobileLoginUrl(realm: RealmState, site: Site, user: AccountRow, key: string, otp: string) {
  const pad = Buffer.from(otp, 'hex')
  const sealed = Buffer.from(key).map((byte, index) => byte ^ must(pad[index], 'pad for the byte'))
  const query = new URLSearchParams({
    otp_encrypted_api_key: Buffer.from(sealed).toString('hex'),
    email: user.delivery_email,
    user_id: String(user.id),
    realm: realmUrl(site, realm.row),
  })
  return `zulip://login?${query}`
}
