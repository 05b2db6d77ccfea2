import type { Feature } from '../feature.ts'
import * as emailChange from './email-change/index.ts'
import * as invitations from './invitations/index.ts'
import * as login from './login/index.ts'
import * as organizations from './organizations/index.ts'
import * as ownAccount from './own-account/index.ts'
import * as pages from './pages/index.ts'
import * as passwordReset from './password-reset/index.ts'
import * as sessions from './sessions/index.ts'
import * as signIn from './sign-in/index.ts'
import * as signOn from './sign-on/index.ts'
import * as signUp from './sign-up/index.ts'
import * as userLifecycle from './user-lifecycle/index.ts'

/** User accounts: joining, logging in and leaving. */
export const accountFeatures: Feature[] = [
  emailChange,
  invitations,
  login,
  organizations,
  ownAccount,
  pages,
  passwordReset,
  sessions,
  signIn,
  signOn,
  signUp,
  userLifecycle,
]
