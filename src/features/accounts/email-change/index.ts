import { confirmNewEmail } from './confirm-new-email.ts'
import { newEmailForm } from './new-email-form.ts'

export const endpoints = [newEmailForm, confirmNewEmail]

export { consequences } from './consequences.ts'
