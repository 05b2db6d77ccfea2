import { text, type Values } from '../../../http/params.ts'
import { limits } from '../../../lib/limits.ts'
import type { LoginRedirect } from '../kernel/sign-on/finish-login.ts'
import { checkOtp } from '../kernel/sign-on/mobile.ts'

/** Where to go once signed in, as it is sent along through every step. */
export const destinationParams = {
  next: text({ max: limits.destination }).optional(),
  mobile_flow_otp: text({ max: limits.destination }).optional(),
}

/** Throws 400 for a mobile client's word that is none. */
export function destinationIn({ next, mobile_flow_otp }: Values<typeof destinationParams>): LoginRedirect {
  return { next, otp: mobile_flow_otp === undefined ? undefined : checkOtp(mobile_flow_otp) }
}
