import { allowAnonymous } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathRest, text } from '../../../http/params.ts'
import { loginLimits } from '../kernel/login/limits.ts'
import { refuseOtherSites } from '../kernel/sessions/refuse-other-sites.ts'
import { finishLogin } from '../kernel/sign-on/finish-login.ts'
import { accountPage, keyIn, orFormAgain } from './forms.ts'
import { join } from './join.ts'
import { ticketFor } from './tickets.ts'

export const sendAccountPage = command('POST /accounts/do_confirm/{key}', {
  summary: 'Submit the registration page and log in',
  root: true,
  access: allowAnonymous,
  params: {
    key: pathRest(),
    full_name: text().default(''),
    password: text({ max: loginLimits.passwordLength }).default(''),
    // The form shows the address, but the address of the key is used.
    email: text().optional(),
  },
  returns: {},
  async handle(context) {
    const { realm, params, read, site, request } = context
    refuseOtherSites(site, request)
    const { full_name, password } = params
    const key = keyIn(params.key)
    const ticket = await ticketFor(read.rows, realm, key, site.clock())
    const create = async () => {
      const login = await join(context, { key, full_name, password })
      return finishLogin(context, login, { next: undefined, otp: undefined })
    }
    return orFormAgain(create, (problem) => accountPage(context, ticket, { problem, fullName: full_name }))
  },
})
