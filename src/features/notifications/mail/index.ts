import { loginNotices } from '../../accounts/kernel/mail/login-notice.ts'
import { delivery } from './deliver-mail.ts'

export const jobHandlers = [delivery, loginNotices]
