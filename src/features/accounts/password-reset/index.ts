import { newPasswordForm } from './new-password-form.ts'
import { requestReset } from './request-reset.ts'
import { resetForm } from './reset-form.ts'
import { resetPassword } from './reset-password.ts'

export const endpoints = [resetForm, requestReset, newPasswordForm, resetPassword]
