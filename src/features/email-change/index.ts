import { confirmNewEmail } from './confirm-new-email.ts'
import { newEmailForm } from './new-email-form.ts'

/** The operations of this capability. */
export const endpoints = [newEmailForm, confirmNewEmail]
