import { delivery } from './deliver-mail.ts'
import { loginNotices } from '../../accounts/kernel/mail/login-notice.ts'

export const jobHandlers = [delivery, loginNotices]
