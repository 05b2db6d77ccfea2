import { endSessionByForm } from './end-session-by-form.ts'
import { revokeKeyByForm } from './revoke-key-by-form.ts'
import { showAccount } from './show-account.ts'
import { showSignIn } from './show-sign-in.ts'
import { showSignInElsewhere } from './show-sign-in-elsewhere.ts'
import { signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'

export const endpoints = [
  endSessionByForm,
  revokeKeyByForm,
  showAccount,
  showSignIn,
  showSignInElsewhere,
  signIn,
  signOut,
]
