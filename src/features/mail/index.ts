import { delivery } from './deliver-mail.ts'
import { loginNotices } from './login-notice.ts'

export const jobHandlers = [delivery, loginNotices]
