import { completeSignUp } from './complete-sign-up.ts'
import { createSignUp } from './create-sign-up.ts'
import { getSignUp } from './get-sign-up.ts'
import { sendAccountPage } from './send-account-page.ts'
import { sendLinkPage } from './send-link-page.ts'
import { sendOpenPage } from './send-open-page.ts'
import { showAccountPage } from './show-account-page.ts'
import { showLinkPage } from './show-link-page.ts'
import { showOpenPage } from './show-open-page.ts'

export const endpoints = [
  createSignUp,
  getSignUp,
  completeSignUp,
  showLinkPage,
  sendLinkPage,
  showOpenPage,
  sendOpenPage,
  showAccountPage,
  sendAccountPage,
]
