import type { BigBlueButton } from './big-blue-button.ts'
import type { FileStore } from './files/file-store.ts'
import type { MailTransport } from './mail/mail-transport.ts'
import type { PushRelay } from './push-relay.ts'
import type { SafeFetch } from './safe-fetch.ts'
import type { SignOn } from './sign-on/sign-on.ts'
import type { Zoom } from './zoom.ts'

/**
 * A node's external services beyond its database. Operations and jobs receive it, so that none of them builds its own.
 */
export type Adapters = {
  files: FileStore
  /** Means of logging in besides a password of this server, if there are any. */
  signOn?: SignOn
  /** Sends requests to servers named by users, on the public internet only. */
  fetch: SafeFetch
  /** Sends requests to the servers of webhooks, which may also be private ones if the operator permits it. */
  webhookFetch: SafeFetch
  /** The server for video calls, if there is one. */
  bigBlueButton?: BigBlueButton | undefined
  /** Video calls on Zoom, if configured. */
  zoom?: Zoom | undefined
  /** Sends mails; without it, they wait in the database. */
  mail?: MailTransport | undefined
  /** Passes notifications on to phones, if there is one. */
  push?: PushRelay | undefined
}
