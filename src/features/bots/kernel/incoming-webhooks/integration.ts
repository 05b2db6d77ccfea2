import { createHmac } from 'node:crypto'
import { ApiError } from '../../../../lib/api-error.ts'
import type { JsonObject } from '../../../../lib/json.ts'
import { isSameSecret } from '../../../../lib/secrets/is-same-secret.ts'
import { notSigned } from '../../../kernel/bots/access.ts'
import type { Payload } from './payload.ts'

/** A request from an external service. */
export type IncomingWebhook = {
  payload: Payload
  body: Buffer
  header(name: string): string | undefined
  /** The branches whose pushes are reported, if not all: comma-separated names in which `*` matches any text. */
  branches: string | undefined
}

/** The message to post. The topic applies unless the called address names another one. */
export type WebhookMessage = { event: string | null; topic: string; content: string }

/** An option as clients offer it. */
type Option = { key: string; label: string; validator: 'check_string' | 'check_bool' }

/** One kind of service with supported messages, at `/external/NAME`. */
export type Integration = {
  name: string
  displayName: string
  /** The client name of its messages. */
  client: string
  /** The events that it supports, by the service's names, or null if the service has no event names. */
  eventTypes: string[] | null
  /** The options of a bot that is created for it. */
  configOptions: Option[]
  /** The options of the address besides the destination of messages. */
  urlOptions: Option[]
  /** Whether its requests may be forms, whose fields are the payload. */
  isForm?: boolean
  /** Throws unless the request comes from the service that the bot was set up for. */
  check?(incoming: IncomingWebhook, config: Record<string, string>): void
  /** Returns undefined if there is nothing to post. Throws UnknownEvent for an unknown event. */
  read(incoming: IncomingWebhook): WebhookMessage | undefined
  /** Further fields of the response. */
  answer?: JsonObject
  /** Converts an error to the form that the service expects. */
  refusal?(error: ApiError): ApiError
}

export class UnknownEvent extends Error {
  readonly event: string

  constructor(event: string) {
    super(`unknown event ${event}`)
    this.event = event
  }
}

/** Returns the name of the event from a header. */
export function eventHeader({ header }: IncomingWebhook, ...names: [string, ...string[]]): string {
  for (const name of names) {
    const event = header(name.toLowerCase())
    if (event) return event
  }
  throw new ApiError(`Missing the HTTP event header '${names[0]}'`, 'MISSING_HTTP_EVENT_HEADER')
}

export const secretOption: Option = {
  key: 'webhook_secret',
  label: 'Webhook secret',
  validator: 'check_string',
}
export const branchesOption: Option = {
  key: 'branches',
  label: 'Branches to tell of, with commas between',
  validator: 'check_string',
}

/**
 * Throws if a secret is set and no header signs the body with HMAC-SHA256. A header may have several signatures, as
 * `v1=…,v1=…`, while a secret is being replaced.
 */
export function checkSignature(
  { body, header }: IncomingWebhook,
  { webhook_secret: secret }: Record<string, string>,
  ...headers: string[]
) {
  if (!secret) return
  const expected = createHmac('sha256', secret).update(body).digest('hex')
  const given = headers.map((name) => header(name)).find((value) => value !== undefined)
  const signatures = (given ?? '').split(',').map((one) => one.trim().replace(/^(sha256|v1)=/, ''))
  if (!signatures.some((signature) => isSameSecret(signature, expected))) throw notSigned()
}

/** Throws unless the given value equals the expected one. */
export function checkSame(given: string | undefined, expected: string) {
  if (isSameSecret(given ?? '', expected)) return
  throw notSigned()
}
