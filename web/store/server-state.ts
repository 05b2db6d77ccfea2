import { type Accessor, batch, createMemo, createRoot, createSignal } from 'solid-js'
import type { WireEvent } from '../api/stream.ts'
import { untilLoaded } from '../lib/load-part.ts'
import type { ServerState } from './server-state-types.ts'

// The state of the organization as this user sees it: what POST /register returned, carried forward by the events, with
// the same functions that the server's own tests use. It is one plain object, since folding through reactive proxies
// costs many times more in large organizations. Each of its fields has a version, which rises when an event may have
// changed it; whatever reads the field through `field` runs again.

let state: ServerState = {} as ServerState

let following: typeof import('./following.ts')

/** To be awaited before events are folded. */
export async function loadFollowing() {
  following ??= await untilLoaded(() => import('./following.ts'))
  return following
}

type Version = { read: Accessor<number>; rise: () => void }
const versions = new Map<string, Version>()

/** The state as it is now, without being told when it changes. */
export function currentState(): Readonly<ServerState> {
  return state
}

/** Returns a field of the state; what reads it within a reactive scope runs again when an event touches the field. */
export function field<Name extends keyof ServerState>(name: Name): ServerState[Name] {
  versionOf(name).read()
  return state[name]
}

/**
 * Returns a value made from the state, made anew when an event touches a field that it reads. It is made first when it is
 * read first: when modules are loaded, state and texts may still be on their way.
 */
export function derived<T>(make: () => T): Accessor<T> {
  let value: Accessor<T> | undefined
  return () => {
    value ??= createRoot(() => createMemo(make, undefined, { equals: false }))
    return value()
  }
}

/** Replaces the whole state, after registering. */
export function replaceState(next: ServerState) {
  state = next
  batch(() => {
    for (const version of versions.values()) version.rise()
  })
}

/** Messages and their flags never change these, but read them; much of the page depends on them. */
const lists = new Set(['subscriptions', 'unsubscribed', 'never_subscribed', 'user_topics', 'user_id'])
const onlyRead = { message: true, update_message_flags: true }

/**
 * Carries the state forward by events. Returns the types that it does not know. Applying an event changes nested objects in
 * place, so a field that was read counts as changed, too.
 */
export function foldEvents(events: WireEvent[]): string[] {
  const touched = new Set<string>()
  let type = ''
  const watched = new Proxy(state as object, {
    get(target, name) {
      if (!(type in onlyRead && lists.has(String(name)))) touched.add(String(name))
      return Reflect.get(target, name)
    },
    set(target, name, value) {
      touched.add(String(name))
      return Reflect.set(target, name, value)
    },
  })
  const unknown = events.filter((event) => {
    type = event.type
    return !following.applyEvent(watched, event)
  })
  batch(() => {
    for (const name of touched) versions.get(name)?.rise()
  })
  return unknown.map((event) => event.type)
}

/** Adds what a report of the user's own presence has told of others. */
export function learnPresences(presences: ServerState['presences'], lastUpdateId: number) {
  state.presences = { ...state.presences, ...presences }
  state.presence_last_update_id = lastUpdateId
  versions.get('presences')?.rise()
}

/** Adds to a field what was read of it apart from the state. */
export function learnField<Name extends keyof ServerState>(name: Name, value: ServerState[Name]) {
  state[name] = value
  versions.get(name)?.rise()
}

function versionOf(name: string): Version {
  let version = versions.get(name)
  if (!version) {
    const [read, set] = createRoot(() => createSignal(0))
    version = { read, rise: () => set((number) => number + 1) }
    versions.set(name, version)
  }
  return version
}
