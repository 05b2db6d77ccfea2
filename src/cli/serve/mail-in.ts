import { listenForMail } from '../../adapters/mail/mail-listener.ts'
import type { App } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { listenFault } from './listen.ts'

/** Takes the mails that come in, if the settings name a domain for them. Returns the function that ends it. */
export async function takeMail(config: Config, app: App): Promise<() => Promise<void>> {
  const { mailInDomain: name, mailInHost: host, mailInPort: port } = config
  if (name === undefined) return async () => {}
  const receiver = await app.mailReceiver()
  const settings = { host: 'ROOKERY_MAIL_IN_HOST', port: 'ROOKERY_MAIL_IN_PORT' }
  const { close } = await listenForMail({ host, port, name, receiver }).catch((error) => {
    throw listenFault(error, { host, port, settings })
  })
  return close
}
