import { loginNotices } from '../../accounts/kernel/mail/login-notice.ts'
import { delivery } from './deliver-mail.ts'
import { getMail } from './get-mail.ts'

export const endpoints = [getMail]

export const jobHandlers = [delivery, loginNotices]
