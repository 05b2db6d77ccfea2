import { isDeepStrictEqual } from 'node:util'

/** Fields of POST /register that differ from one registration to the next, or that have no events. */
const fleeting = new Set([
  'queue_id',
  'last_event_id',
  'server_timestamp',
  'presence_last_update_id',
  'event_queue_longpoll_timeout_seconds',
])

/**
 * Fields of a channel that no event updates for all: only subscribers learn that it has a first message, and an
 * estimate is not worth an event.
 */
const untold = new Set(['first_message_id', 'stream_weekly_traffic'])

/** Lists whose order clients show to users. All others are sets. */
const ordered = new Set(['realm_linkifiers', 'realm_playgrounds', 'custom_profile_fields'])

/** The keys of the objects of a list: the first of these that they have. */
const identities = [
  ['id'],
  ['user_id'],
  ['message_id'],
  ['stream_id', 'topic'],
  ['stream_id', 'topic_name'],
  ['stream_id'],
  ['sender_id'],
  ['scheduled_message_id'],
  ['reminder_id'],
  ['saved_snippet_id'],
  ['user_ids'],
  ['user_ids_string'],
  ['name'],
]

type Json = unknown

/** Returns the differences of two states, a line for each path. */
export function differences(carried: Record<string, Json>, fresh: Record<string, Json>): string[] {
  const lines: string[] = []
  for (const field of new Set([...Object.keys(carried), ...Object.keys(fresh)])) {
    if (fleeting.has(field)) continue
    const keepsOrder = ordered.has(field)
    compare(field, tidy(carried[field], keepsOrder), tidy(fresh[field], keepsOrder), lines)
  }
  return lines
}

function compare(place: string, carried: Json, fresh: Json, lines: string[]) {
  if (isDeepStrictEqual(carried, fresh)) return
  if (!isObject(carried) || !isObject(fresh)) {
    lines.push(`${place}: ${show(carried)} by the events, ${show(fresh)} by the new registration`)
    return
  }
  for (const key of new Set([...Object.keys(carried), ...Object.keys(fresh)])) {
    if (!untold.has(key)) compare(`${place}.${key}`, carried[key], fresh[key], lines)
  }
}

/** Lists that are sets become objects by key, the empty one too, or are sorted. */
function tidy(value: Json, keepsOrder: boolean): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => tidy(item, keepsOrder))
    if (keepsOrder) return items
    return items.every(isObject) ? byKey(items) : items.sort(compareText)
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, tidy(part, keepsOrder)]))
}

function byKey(items: Record<string, Json>[]): Json {
  const found = new Map<string, Json>()
  for (const item of items) {
    const identity = identities.find((keys) => keys.every((key) => key in item)) ?? []
    const name = `(${identity.map((key) => `${key} ${JSON.stringify(item[key])}`).join(', ')})`
    // Objects with the same name are distinguished by all their content.
    found.set(found.has(name) ? JSON.stringify(item) : name, item)
  }
  return Object.fromEntries(found)
}

function compareText(a: Json, b: Json) {
  const [x, y] = [JSON.stringify(a), JSON.stringify(b)]
  return x < y ? -1 : x > y ? 1 : 0
}

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function show(value: Json) {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}
