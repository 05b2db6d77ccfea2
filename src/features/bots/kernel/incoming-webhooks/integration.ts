import { createHmac } from 'node:crypto'
import { ApiError } from '../../../../lib/api-error.ts'
import { isSameSecret } from '../../../../lib/is-same-secret.ts'
import { notSigned } from '../../../kernel/bots/access.ts'
import type { Payload } from './payload.ts'

/** What a service elsewhere has sent. */
export type IncomingWebhook = {
  payload: Payload
  body: Buffer
  header(name: string): string | undefined
  /** Of the branches that pushes are told of, if not all: names with commas between, where `*` stands for anything. */
  branches: string | undefined
}

/** What is to be said of it. The topic holds unless the address that was called names another one. */
export type News = { event: string | null; topic: string; content: string }

/** Something that can be set, as clients offer it. */
type Option = { key: string; label: string; validator: 'check_string' | 'check_bool' }

/** One kind of service whose messages are understood, at `/external/NAME`. */
export type Integration = {
  name: string
  displayName: string
  /** Whose messages they are, as messages name their client. */
  client: string
  /** The events it knows, by the name that the service gives them; null if it has no such names. */
  eventTypes: string[] | null
  /** What a bot that is made for it may be told. */
  configOptions: Option[]
  /** What the address may say, besides where messages go. */
  urlOptions: Option[]
  /** Throws unless the message is from the one whom the bot was set up for. */
  check?(incoming: IncomingWebhook, config: Record<string, string>): void
  /** Undefined: there is nothing to say. Throws UnknownEvent for an event that it does not know. */
  read(incoming: IncomingWebhook): News | undefined
  /** Further fields of its answer. */
  answer?: object
  /** How the service wants to hear of an error. */
  refusal?(error: ApiError): ApiError
}

export class UnknownEvent extends Error {
  readonly event: string

  constructor(event: string) {
    super(`unknown event ${event}`)
    this.event = event
  }
}

/** The name of the event as a header says it. */
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

/** Throws unless a header signs the body by HMAC-SHA256, if a secret was set. */
export function checkSignature(
  { body, header }: IncomingWebhook,
  { webhook_secret: secret }: Record<string, string>,
  ...headers: string[]
) {
  if (!secret) return
  const expected = createHmac('sha256', secret).update(body).digest('hex')
  const given = headers.map((name) => header(name)).find((value) => value !== undefined)
  checkSame(given?.replace(/^sha256=/, ''), expected)
}

/** Throws unless what was given is what was expected. */
export function checkSame(given: string | undefined, expected: string) {
  if (isSameSecret(given ?? '', expected)) return
  throw notSigned()
}
