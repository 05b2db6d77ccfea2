import { ComponentError } from '../lib/component.ts'
import { isObject } from '../lib/is-object.ts'
import { adapterLimits } from './limits.ts'
import { FetchError, jsonFieldsOf, type SafeAnswer, type SafeFetch } from './safe-fetch.ts'

/** A device's registration, which this server passes to the relay. Only the relay can read `registration`. */
type RelayRegistration = {
  realm_url: string
  /** The digits of a 64-bit integer. */
  push_account_id: string
  token_kind: string
  bouncer_public_key: string
  encrypted_push_registration: string
}

/** A notification for one device. The relay recognizes a repeat by its id. */
export type RelayNotification = {
  id: string
  /** `high`: it is to be shown immediately. */
  priority: 'high' | 'normal'
} & (
  | { device_id: string; push_account_id: string; encrypted_data: string }
  | { token_kind: string; token: string; app_id?: string; data: object }
)

/** The relay refuses a registration for good. `code` is the reason, in the codes that clients know. */
export class RegistrationRefused extends Error {
  override name = 'RegistrationRefused'
  readonly code: string

  constructor(code: string) {
    super(`the relay says ${code}`)
    this.code = code
  }
}

/** The relay did not carry out a request; it may later. The message is a sentence for the admin. */
export class RelayProblem extends ComponentError {
  override name = 'RelayProblem'

  constructor(message: string, cause?: unknown) {
    super('push relay', message, cause)
  }
}

/** The reasons for which a relay refuses a registration for good. */
const registrationErrors = ['INVALID_BOUNCER_PUBLIC_KEY', 'REQUEST_EXPIRED', 'BAD_REQUEST'] as const

/** The relay's code for a device that no longer exists. */
export const deviceGone = 'DEVICE_GONE'

/** A relay that passes notifications on to the services of Apple and Google. docs/push.md describes its protocol. */
export class PushRelay {
  /** Whether message texts also go to devices for which nothing can be encrypted. */
  readonly showsClearText: boolean
  private readonly url: string
  private readonly key: string | undefined
  private readonly fetch: SafeFetch

  /** `key`: this server's credential for the relay, if the relay requires one. */
  constructor(url: string, key: string | undefined, showsClearText: boolean, fetch: SafeFetch) {
    this.url = url.replace(/\/$/, '')
    this.key = key
    this.showsClearText = showsClearText
    this.fetch = fetch
  }

  /** Returns the relay's id of the device. Throws RegistrationRefused, or RelayProblem if it may work later. */
  async register(registration: RelayRegistration, signal: AbortSignal): Promise<string> {
    const answer = await this.post('registrations', registration, signal)
    const said = jsonFieldsOf(answer)
    if (answer.status === 400) throw new RegistrationRefused(refusalIn(said))
    const { device_id } = fieldsOrThrow(answer, said)
    if (
      typeof device_id === 'string' &&
      device_id !== '' &&
      device_id.length <= adapterLimits.pushRelayIdLength
    ) {
      return device_id
    }
    throw new RelayProblem('The push relay answered a registration without a device_id.')
  }

  /** Sends notifications. Returns the ids of those that the relay refuses, with its reasons; throws RelayProblem. */
  async send(notifications: RelayNotification[], signal: AbortSignal): Promise<Map<string, string>> {
    const answer = await this.post('notifications', { notifications }, signal)
    const { failed } = fieldsOrThrow(answer, jsonFieldsOf(answer))
    const refused = new Map<string, string>()
    for (const one of Array.isArray(failed) ? failed : []) {
      if (isObject(one)) refused.set(String(one.id), String(one.code))
    }
    return refused
  }

  private async post(path: string, body: object, signal: AbortSignal): Promise<SafeAnswer> {
    try {
      return await this.fetch(`${this.url}/v1/${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(this.key !== undefined && { authorization: `Bearer ${this.key}` }),
        },
        body: withLongIntegers(JSON.stringify(body)),
        timeoutMs: adapterLimits.pushSeconds * 1000,
        maxBytes: 1024 * 1024,
        signal,
      })
    } catch (error) {
      if (error instanceof FetchError) {
        throw new RelayProblem(`Of the push relay: ${error.message}.`, error)
      }
      throw error
    }
  }
}

/** Writes the digits of a 64-bit integer as a JSON number: a number here would lose some. */
function withLongIntegers(json: string): string {
  // In a text, the quotes would be escaped.
  return json.replaceAll(/"push_account_id":"(-?\d+)"/g, '"push_account_id":$1')
}

/** Returns the fields of a relay's response. Throws RelayProblem unless it succeeded. */
function fieldsOrThrow({ status }: SafeAnswer, said: Record<string, unknown>): Record<string, unknown> {
  if (status === 200) return said
  throw new RelayProblem(`The push relay answered with the status code ${status}.`)
}

function refusalIn({ code }: Record<string, unknown>): string {
  return registrationErrors.find((known) => known === code) ?? 'BAD_REQUEST'
}
