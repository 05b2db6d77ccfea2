import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { type QueryContext, query, type RequestInfo } from '../../../http/endpoint.ts'
import { boolean, integer, strings, text } from '../../../http/params.ts'
import { JsonAnswer, LaterAnswer, StreamAnswer } from '../../../http/responses/answer-kinds.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { parseQueueNarrow } from '../../../narrow/terms.ts'
import { noCapabilities, type Queue, type ShapedEvent } from '../../../queues/queue.ts'
import type { RealmQueues } from '../../../queues/realm-queues.ts'
import { messagesForQueue } from '../../bots/bots/queue-defaults.ts'
import { queueNarrowParam } from '../../kernel/messages/narrow.ts'
import { checkQueueSize } from '../kernel/events/queue-size.ts'
import { textOfEvents } from './shared-events.ts'

const params = {
  queue_id: text().optional(),
  last_event_id: integer().optional(),
  dont_block: boolean().default(false),
  // Only for a queue that this request creates.
  apply_markdown: boolean().default(false),
  client_gravatar: boolean().default(false).alias('client_avatar_provider'),
  all_public_streams: boolean().optional(),
  event_types: strings().optional().nullIsAbsent(),
  narrow: queueNarrowParam(),
}

type Context = QueryContext<typeof params>

/**
 * The events after `last_event_id`, which acknowledges all events up to it. Waits up to 50 s for the first event, then
 * returns only a heartbeat. With `dont_block` it does not wait, and without a queue id it creates a queue. If two clients wait for one queue,
 * the one that came later gets its events, and the response of the other one ends a little later.
 *
 * With `Accept: text/event-stream` it returns the same as server-sent events over one open connection; an event's id is
 * its number. A client resumes with `last_event_id` (or the header Last-Event-ID). Only that acknowledges events,
 * because data written to a connection may not have arrived.
 * A comment follows the events that were waiting when the connection was opened. The response ends when the queue is deleted.
 */
export const getEvents = query('GET /events', {
  summary: 'Get events from an event queue',
  noHead: true,
  rank: 'essential',
  stepwise: true,
  streams: true,
  access: requireUser,
  params,
  returns: {
    events: z.array(z.looseObject({ id: z.int(), type: z.string() })),
    queue_id: z.string().optional(),
  },
  async handle(context) {
    const { me, params, queues, request } = context
    if (params.queue_id === undefined) return newQueue(context)
    const isStream = request.header('accept')?.includes('text/event-stream') ?? false
    const lastEventId = (isStream ? resumedFrom(request) : undefined) ?? params.last_event_id
    if (lastEventId === undefined) throw badRequest("Missing 'last_event_id' argument")
    const queue = await queues.find(me.id, params.queue_id)
    if (isStream) return stream(context, queue, lastEventId)
    if (params.dont_block) return answerOf(context, await queues.collect(queue, lastEventId))
    return poll(context, queue, lastEventId)
  },
})

/** Answers now or, without events, when the first one comes. */
async function poll(context: Context, queue: Queue, lastEventId: number) {
  const { queues } = context
  const { releasePlace, whenGone, checkLogin } = context.request
  const isAllowed = () => isLoggedIn({ checkLogin })
  const later = new LaterAnswer()
  const tell = (events: ShapedEvent[]) =>
    later.complete(() => answerOf({ queues, request: { checkLogin } }, events))
  const fail = (error: Error) => later.fail(error)
  const events = await queues.poll(queue, lastEventId, { releasePlace, whenGone, isAllowed, tell, fail })
  return events ? answerOf(context, events) : later
}

type Login = Pick<RequestInfo, 'checkLogin'>
type Answering = { queues: RealmQueues; request: Login }

/** The login may have ended during the wait. */
function answerOf({ queues, request }: Answering, events: ShapedEvent[]) {
  request.checkLogin()
  return new JsonAnswer('"events":[', textOfEvents(queues, events), ']')
}

async function newQueue({ realm, me, params, queues, request }: Context) {
  if (!params.dont_block) throw badRequest("Missing 'queue_id' argument")
  const options = {
    ...messagesForQueue(realm, me, params),
    eventTypes: params.event_types ?? null,
    applyMarkdown: params.apply_markdown,
    clientGravatar: params.client_gravatar,
    slimPresence: false,
    capabilities: noCapabilities,
  }
  checkQueueSize(params)
  parseQueueNarrow(params.narrow)
  const queue = await queues.create(me.id, options, realm, request.client)
  return { events: [], queue_id: queue.id }
}

/** Returns the event after which a stream resumes, as the client's library reports it on reconnecting. */
function resumedFrom(request: RequestInfo): number | undefined {
  const header = request.header('last-event-id') ?? ''
  return /^-?\d{1,15}$/.test(header) ? Number(header) : undefined
}

async function stream({ queues, request }: Context, queue: Queue, lastEventId: number) {
  // An invalid start gets a plain error, which an open stream cannot return.
  const first = await queues.collect(queue, lastEventId)
  return new StreamAnswer('text/event-stream', (to) => {
    to.write(': the events of one queue follow\n\n')
    queues.sendTo(
      queue,
      { after: lastEventId, first },
      {
        ...to,
        isAllowed: () => isLoggedIn(request),
        send: (events) => to.write(textOf(events)),
        noteUpToDate: () => to.write(': up to date\n\n'),
        whenGone: request.whenGone,
      },
    )
  })
}

/** Nearly always there is one event, whose text is flat already for the next client. */
function textOf(events: ShapedEvent[]) {
  const [first] = events
  return first && events.length === 1 ? first.asFrame : events.map(({ asFrame }) => asFrame).join('')
}

function isLoggedIn(request: Login) {
  try {
    request.checkLogin()
    return true
  } catch {
    return false
  }
}
