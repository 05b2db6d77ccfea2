import { z } from 'zod'
import { roles } from '../../../db/roles.ts'
import type { AccountRow } from '../../../db/schema.ts'
import type { Selection } from '../../../db/selection.ts'
import { requireUser } from '../../../http/access.ts'
import { type QueryContext, query } from '../../../http/endpoint.ts'
import { boolean, integer, json, strings } from '../../../http/params.ts'
import { JsonAnswer } from '../../../http/responses/answer-kinds.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { namesIn, recordOf } from '../../../lib/collections/records.ts'
import type { Chunk } from '../../../lib/gzip/gzip-chunks.ts'
import { featureLevel, mergeBase, zulipVersion } from '../../../lib/version.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { parseQueueNarrow } from '../../../narrow/terms.ts'
import {
  type Capabilities,
  noCapabilities,
  type QueueOptions,
  type StartOfQueue,
} from '../../../queues/queue.ts'
import { messagesForQueue } from '../../bots/bots/queue-defaults.ts'
import {
  allowedSubscribers,
  includeSubscribersParam,
} from '../../channels/kernel/subscriptions/included-subscribers.ts'
import { isSpectator, spectatorOf } from '../../kernel/channels/web-public.ts'
import { queueNarrowParam } from '../../kernel/messages/narrow.ts'
import { checkQueueSize } from '../kernel/events/queue-size.ts'
import { JsonChunks, type RegisterFields, type Registration, type Section } from './section.ts'
import { sectionsFor } from './sections.ts'

const params = {
  apply_markdown: boolean().default(false),
  client_gravatar: boolean().default(true).alias('client_avatar_provider'),
  include_subscribers: includeSubscribersParam(),
  slim_presence: boolean().default(false),
  presence_history_limit_days: integer().optional(),
  event_types: strings().optional().nullIsAbsent(),
  all_public_streams: boolean().optional(),
  client_capabilities: capabilities().default(noCapabilities),
  fetch_event_types: strings().optional().nullIsAbsent(),
  narrow: queueNarrowParam(),
}

type Context = QueryContext<typeof params>

/**
 * Returns the state at one position of the log, and creates a queue for all later events. sections.ts defines the parts
 * of the state. Without `event_types`, the queue receives all events; `fetch_event_types` selects the fields of the
 * response, if they differ.
 */
export const registerQueue = query('POST /register', {
  summary: 'Create an event queue and get the initial state',
  rank: 'large',
  access: requireUser,
  spectator: spectatorOf,
  params,
  returns: {
    queue_id: z.string().nullable(), // null for users who are not logged in: they receive no events
    last_event_id: z.int(),
    zulip_feature_level: z.int(),
    zulip_version: z.string(),
    zulip_merge_base: z.string(),
  },
  async handle(context) {
    const { me, params, queues, request } = context
    if (isSpectator(me)) return answerOf(null, -1, await stateForSpectator(context))
    if (params.all_public_streams && me.role === roles.guest) {
      throw badRequest('User not authorized for this query')
    }
    checkQueueSize(params)
    parseQueueNarrow(params.narrow)
    const { chunks, at } = await takeState(context)
    const queue = await queues.create(me.id, optionsFrom(context), at, request.client)
    return answerOf(queue.id, at.position, chunks)
  },
})

function answerOf(queueId: string | null, position: number, chunks: Chunk[]) {
  const head = {
    queue_id: queueId,
    last_event_id: position,
    zulip_feature_level: featureLevel,
    zulip_version: zulipVersion,
    zulip_merge_base: mergeBase,
  }
  return new JsonAnswer(JSON.stringify(head).slice(1, -1), ...chunks)
}

/** Clients list their capabilities. The oldest capability must always be present; unknown ones are ignored. */
function capabilities() {
  const optional = z.boolean().default(false)
  const names = namesIn(noCapabilities)
  const shape = recordOf(names, () => optional)
  return json<Capabilities>(z.object({ ...shape, notification_settings_null: z.boolean() }))
}

async function takeState(context: Context): Promise<{ chunks: Chunk[]; at: StartOfQueue }> {
  const { realm, me, params, queues, read } = context
  const types = params.fetch_event_types ?? params.event_types ?? null
  const sections = sectionsFor(types, false)
  for (const section of sections) await section.prepare?.(registrationOf(context, realm, me), read)
  return queues.snapshot(read, {
    select: (realm) => selectionsOf(sections, realm, realm.users.require(me.id)),
    // Clients ask for too many combinations of fields to prepare a statement for each.
    statement: types === null ? 'register' : undefined,
    build(realm, position, own) {
      const registration = registrationOf(context, realm, realm.users.require(me.id))
      const chunks = sections.flatMap((section) => toChunks(section.fields(registration, own.get(section))))
      return { chunks, at: { position, epoch: realm.epoch } }
    },
  })
}

/** None of it needs the database. */
async function stateForSpectator(context: Context): Promise<Chunk[]> {
  const { realm, me, params, read } = context
  const sections = sectionsFor(params.fetch_event_types ?? params.event_types ?? null, true)
  const registration = registrationOf(context, realm, me)
  for (const section of sections) await section.prepare?.(registration, read)
  return sections.flatMap((section) => toChunks(section.fields(registration, undefined)))
}

function registrationOf(
  { params, site, adapters, request }: Context,
  realm: RealmState,
  me: AccountRow,
): Registration {
  return {
    request,
    realm,
    me,
    site,
    adapters,
    clientGravatar: params.client_gravatar,
    includeSubscribers: allowedSubscribers(realm, me, params.include_subscribers),
    slimPresence: params.slim_presence,
    presenceHistoryDays: params.presence_history_limit_days,
    capabilities: params.client_capabilities,
  }
}

function selectionsOf(sections: Section[], realm: RealmState, me: AccountRow) {
  const selections = new Map<Section, Selection<unknown>>()
  for (const section of sections) {
    const selected = section.select?.(realm, me)
    if (selected) selections.set(section, selected)
  }
  return selections
}

/** Returns each field with a comma in front. */
function toChunks(fields: RegisterFields): Chunk[] {
  return Object.entries(fields).flatMap(([name, value]) => [
    `,${JSON.stringify(name)}:`,
    ...(value instanceof JsonChunks ? value.chunks : [JSON.stringify(value)]),
  ])
}

function optionsFrom({ realm, me, params }: Context): QueueOptions {
  return {
    ...messagesForQueue(realm, me, params),
    eventTypes: params.event_types ?? null,
    applyMarkdown: params.apply_markdown,
    clientGravatar: params.client_gravatar,
    slimPresence: params.slim_presence,
    capabilities: params.client_capabilities,
  }
}
