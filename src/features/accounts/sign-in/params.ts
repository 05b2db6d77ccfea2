import { text, type Values } from '../../../http/params.ts'
import type { LoginRedirect } from '../kernel/sign-on/finish-login.ts'
import { checkOtp } from '../kernel/sign-on/mobile-login.ts'
import { signInLimits } from './limits.ts'

/** The target after signing in, which every step passes on. */
export const destinationParams = {
  next: text({ max: signInLimits.destination }).optional(),
  mobile_flow_otp: text({ max: signInLimits.destination }).optional(),
}

/** Returns the target. Throws 400 for an invalid one-time pad of a mobile client. */
export function destinationIn({ next, mobile_flow_otp }: Values<typeof destinationParams>): LoginRedirect {
  return { next, otp: mobile_flow_otp === undefined ? undefined : checkOtp(mobile_flow_otp) }
}
