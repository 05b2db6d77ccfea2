import { allowAnonymous } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { checkLogin } from '../kernel/login/check-login.ts'
import { type Texts, textsOf } from '../kernel/pages/texts.ts'
import { refuseOtherSites } from '../kernel/sessions/refuse-other-sites.ts'
import { finishLogin } from '../kernel/sign-on/finish-login.ts'
import { signInPage } from './form.ts'
import { destinationIn, destinationParams } from './params.ts'

export const signIn = command('POST /login', {
  summary: 'Submit the sign-in page',
  root: true,
  slashed: true,
  access: allowAnonymous,
  params: { username: text({ trim: true }), password: text(), ...destinationParams },
  returns: {},
  async handle(context) {
    const { site, request, params } = context
    refuseOtherSites(site, request)
    const destination = destinationIn(params)
    const { username, password } = params
    try {
      return await finishLogin(context, await checkLogin(context, username, password), destination, username)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { status, message } = error
      return signInPage(context, destination, {
        status,
        message: inWords(textsOf(context), message, status),
        username,
      })
    }
  },
})

function inWords({ t, errorText }: Texts, message: string, status: number) {
  return status === 429 ? t('sign_in.too_often') : `${errorText(message).replace(/\.$/, '')}.`
}
