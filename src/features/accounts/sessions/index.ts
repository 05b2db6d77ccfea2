import { endSession } from './end-session.ts'
import { getKeys } from './get-keys.ts'
import { getLogins } from './get-logins.ts'
import { getOwnSession } from './get-own-session.ts'
import { getSessions } from './get-sessions.ts'
import { logIn } from './log-in.ts'
import { logOut } from './log-out.ts'
import { revokeKey } from './revoke-key.ts'

export const endpoints = [
  endSession,
  getKeys,
  getLogins,
  getOwnSession,
  getSessions,
  logIn,
  logOut,
  revokeKey,
]

export { consequences } from './consequences.ts'
