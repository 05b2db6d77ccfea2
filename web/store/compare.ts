import { post, remove } from '../api/client.ts'
import { currentState } from './server-state.ts'
import type { ServerState } from './server-state-types.ts'
import { registration } from './session.ts'

// Compares the state that events have carried forward with the state of a client that registers now. For tests: it is
// loaded only by a tab whose sessionStorage has the key `rookery.compare`, as `__rookery.compare()`.

/** Fields that differ between any two registrations, or depend on the time of registration. */
const own = new Set([
  'queue_id',
  'last_event_id',
  'event_queue_longpoll_timeout_seconds',
  'presences',
  'presence_last_update_id',
  'server_timestamp',
  'result',
  'msg',
])

/** Fields of channels that change without an event. The server's own tests leave them out as well (test/random/compare.ts). */
const untold = new Set(['first_message_id', 'stream_weekly_traffic'])

/** Registers a second time; returns the names of the fields that are not the same, each with both values. */
async function compare(): Promise<string[]> {
  const fresh = await post<ServerState>('/register', registration)
  await remove('/events', { queue_id: fresh.queue_id })
  const folded = currentState() as unknown as Record<string, unknown>
  return Object.entries(fresh)
    .filter(([name, value]) => !own.has(name) && text(value) !== text(folded[name]))
    .map(([name, value]) => `${name}: ${text(folded[name])} instead of ${text(value)}`)
}

/** A value as text, lists and keys in one order. */
function text(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(text).sort().join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const entries = Object.entries(value).filter(([name, one]) => one !== undefined && !untold.has(name))
  return `{${entries
    .map(([name, one]) => `${name}:${text(one)}`)
    .sort()
    .join()}}`
}

Object.assign(window, { __rookery: { compare } })
