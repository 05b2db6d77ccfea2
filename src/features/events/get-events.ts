import { z } from 'zod'
import { user } from '../../http/access.ts'
import { JsonAnswer, type QueryContext, query, type RequestInfo, StreamAnswer } from '../../http/endpoint.ts'
import { boolean, integer, strings, text } from '../../http/params.ts'
import { badRequest } from '../../lib/api-error.ts'
import { parseQueueNarrow } from '../../narrow/terms.ts'
import { noCapabilities, type Queue } from '../../queues/queue.ts'
import { messagesForQueue } from '../bots/queue-defaults.ts'
import { queueNarrowParam } from '../messages/narrow.ts'
import { checkQueueSize } from './queue-size.ts'

const params = {
  queue_id: text().optional(),
  last_event_id: integer().optional(),
  dont_block: boolean().default(false),
  // Only for a queue that is made by this very request.
  apply_markdown: boolean().default(false),
  client_gravatar: boolean().default(false).alias('client_avatar_provider'),
  all_public_streams: boolean().optional(),
  event_types: strings().optional().nullIsAbsent(),
  narrow: queueNarrowParam(),
}

type Context = QueryContext<typeof params>

/**
 * The events after `last_event_id`, which acknowledges all up to it. Waits for the first one, up to 50 s; then comes a
 * heartbeat, alone. With `dont_block` nothing is waited for, and a request without a queue makes one.
 *
 * The same as server-sent events with `Accept: text/event-stream`: one connection that goes on, an event's id being
 * its number. A client resumes with `last_event_id` (or the header Last-Event-ID).
 */
export const getEvents = query('GET /events', {
  summary: 'Get events from an event queue',
  noHead: true,
  access: user,
  params,
  returns: {
    events: z.array(z.looseObject({ id: z.int(), type: z.string() })),
    queue_id: z.string().optional(),
  },
  async handle(context) {
    const { me, params, queues, request } = context
    if (params.queue_id === undefined) return newQueue(context)
    if (params.last_event_id === undefined) throw badRequest("Missing 'last_event_id' argument")
    const queue = await queues.find(me.id, params.queue_id)
    if (request.header('accept')?.includes('text/event-stream')) return stream(context, queue)
    const events = await queues.poll(queue, params.last_event_id, !params.dont_block, request.gone())
    request.checkLogin()
    return new JsonAnswer(`"events":[${events.map((event) => event.json).join()}]`)
  },
})

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
  const queue = await queues.create(me.id, options, realm.position, request.client)
  return { events: [], queue_id: queue.id }
}

async function stream({ params, queues, request }: Context, queue: Queue) {
  const gone = request.gone()
  const resumed = Number(request.header('last-event-id') ?? Number.NaN)
  const first = Number.isSafeInteger(resumed) ? resumed : params.last_event_id!
  // A bad start deserves a plain error, which a stream under way cannot give.
  const waiting = await queues.poll(queue, first, false, gone)
  return new StreamAnswer('text/event-stream', pieces())

  async function* pieces() {
    let last = first
    let events = waiting
    yield ': the events of one queue follow\n\n'
    while (!gone.aborted && isLoggedIn(request)) {
      for (const { id, json } of events) yield `id: ${id}\ndata: ${json}\n\n`
      last = events.at(-1)?.id ?? last
      if (queues.isClosing) return
      events = await queues.poll(queue, last, true, gone)
    }
  }
}

function isLoggedIn(request: RequestInfo) {
  try {
    request.checkLogin()
    return true
  } catch {
    return false
  }
}
