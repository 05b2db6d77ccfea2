import type { BigBlueButton } from './big-blue-button.ts'
import type { FileStore } from './files/file-store.ts'
import type { MailTransport } from './mail/mail-transport.ts'
import type { PushRelay } from './push-relay.ts'
import type { SafeFetch } from './safe-fetch.ts'
import type { SignOn } from './sign-on/sign-on.ts'
import type { Zoom } from './zoom.ts'

/** What a node reaches beyond its database. Operations and jobs get it, so that none of them builds its own. */
export type Adapters = {
  files: FileStore
  /** Means of logging in besides a password of this server, if there are any. */
  signOn?: SignOn
  /** Asks servers that users have named, on the public internet only. */
  fetch: SafeFetch
  /** The same for webhooks, whose servers may also be private ones if the operator says so. */
  webhookFetch: SafeFetch
  /** For video calls, if there is one. */
  bigBlueButton?: BigBlueButton | undefined
  /** The same. */
  zoom?: Zoom | undefined
  /** What hands mails on; without one, they wait in the database. */
  mail?: MailTransport | undefined
  /** What passes notifications on to phones, if there is one. */
  push?: PushRelay | undefined
}
