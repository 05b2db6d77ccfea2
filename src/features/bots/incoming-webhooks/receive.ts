import { z } from 'zod'
import { requireSender } from '../../../http/access.ts'
import { type CommandContext, command } from '../../../http/endpoint.ts'
import { pathText, strings, text } from '../../../http/params.ts'
import { ApiError, badRequest } from '../../../lib/api-error.ts'
import { printableName, printableText } from '../../../lib/text/unprintable.ts'
import { needsSignature, notSigned } from '../../kernel/bots/access.ts'
import { messageText } from '../../kernel/messages/message-text.ts'
import { writeMessage } from '../../messages/kernel/messages/add-message.ts'
import {
  channelDestination,
  directDestination,
  type MessageDestination,
} from '../../messages/kernel/messages/compose-message.ts'
import { prepareMessage } from '../../messages/kernel/messages/prepare-message.ts'
import { matchesGlob } from '../kernel/incoming-webhooks/forge.ts'
import {
  type Integration,
  UnknownEvent,
  type WebhookMessage,
} from '../kernel/incoming-webhooks/integration.ts'
import { integrations } from '../kernel/incoming-webhooks/integrations.ts'
import { Payload } from '../kernel/incoming-webhooks/payload.ts'

const params = {
  integration: pathText(),
  api_key: text(), // of the bot, in the query
  stream: text().documentedAs(printableName).optional(), // a name or an id; without it, the bot's owner gets a direct message
  topic: text().documentedAs(printableText).optional(),
  only_events: strings().optional(), // names of events, where * stands for anything
  exclude_events: strings().optional(),
  branches: text().optional(),
  payload: text().documentedAs({ contentMediaType: 'application/json' }).optional(), // the JSON of a request that is a form
}

type Context = CommandContext<typeof params>

export const receive = command('POST /external/{integration}', {
  summary: 'Receive an incoming webhook and post it as a message from its bot',
  rank: 'essential',
  keyInQuery: true,
  creates: true,
  access: requireSender,
  params,
  returns: {
    msg: z.string(), // names what was ignored
    ok: z.boolean().optional(), // expected by callers of Slack
    code: z.string().optional(), // UNSUPPORTED_WEBHOOK_EVENT_TYPE, with the two below
    webhook_name: z.string().optional(),
    event_type: z.string().optional(),
  },
  async handle(context) {
    const integration = integrations.find(({ name }) => name === context.params.integration)
    if (!integration) throw new ApiError('Page not found', 'NOT_FOUND', 404)
    try {
      const news = read(context, integration)
      if (news && isAsked(context, news)) await post(context, integration, news)
      return integration.answer ?? {}
    } catch (error) {
      if (error instanceof UnknownEvent) return ignored(integration, error)
      throw error instanceof ApiError ? (integration.refusal?.(error) ?? error) : error
    }
  },
})

function read(context: Context, integration: Integration): WebhookMessage | undefined {
  const { realm, me, params, request } = context
  const service = realm.botServices.get(me.id)
  const incoming = {
    body: request.body,
    header: request.header,
    branches: params.branches,
    payload: payloadOf(context, integration),
  }
  if (service?.name === integration.name) integration.check?.(incoming, service.config)
  else if (needsSignature(realm, me)) throw notSigned()
  try {
    return integration.read(incoming)
  } catch (error) {
    // The nesting is so deep that reading it overflows the stack.
    throw error instanceof RangeError ? badRequest('Malformed JSON') : error
  }
}

function payloadOf({ params, request }: Context, { isForm }: Integration): Payload {
  const body = request.body.toString()
  const type = request.header('content-type') ?? ''
  if (isForm && params.payload === undefined && type.startsWith('application/x-www-form-urlencoded')) {
    return Payload.ofForm(body)
  }
  return Payload.parse(params.payload ?? body)
}

function isAsked({ params: { only_events, exclude_events } }: Context, { event }: WebhookMessage): boolean {
  if (event === null) return true
  const isIn = (patterns: string[]) => patterns.some((pattern) => matchesGlob(event, pattern))
  if (only_events && !isIn(only_events)) return false
  return !(exclude_events && isIn(exclude_events))
}

async function post(context: Context, { client, answer }: Integration, { topic, content }: WebhookMessage) {
  const outgoing = { content: messageText(content), client, readBySender: false, key: context.requestKey }
  const message = await prepareMessage(context, destinationOf(context, topic), outgoing)
  await writeMessage(context, { ...message, answer: answer ?? {} })
}

function destinationOf(context: Context, topic: string): MessageDestination {
  const { me, params } = context
  if (params.stream !== undefined) {
    const name = unquoted(params.stream)
    const ref = /^\d{1,15}$/.test(name) ? Number(name) : name
    return channelDestination(context, ref, params.topic === undefined ? topic : unquoted(params.topic))
  }
  const receiver = me.bot_type === null ? me.id : me.bot_owner_id
  if (receiver === null) throw badRequest('Missing channel')
  return directDestination(context, [receiver])
}

// Some services encode an address once more, so a second layer of encoding is decoded here.
function unquoted(text: string): string {
  if (!/%[0-9a-f]{2}/i.test(text)) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function ignored({ name, displayName }: Integration, { event }: UnknownEvent) {
  return {
    msg: `The '${event}' event isn't currently supported by the ${displayName} webhook; ignoring`,
    code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
    webhook_name: name,
    event_type: event,
  }
}
