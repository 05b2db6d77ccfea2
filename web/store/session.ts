import { batch, createRoot, createSignal } from 'solid-js'
import { ApiFailure, onHindered, post, setOwner, signedOut, untilDone } from '../api/client.ts'
import type { EventStream, WireEvent } from '../api/stream.ts'
import { tryWaiting } from '../lib/load-part.ts'
import { foldMessages } from './fold-messages.ts'
import { holdQueue, startKeeping } from './keeping.ts'
import { endKeeping, forgetKept, forgetNewerThan, type Kept } from './kept-state.ts'
import { message, putMessage } from './messages.ts'
import { resumeOutbox } from './outbox.ts'
import { currentState, foldEvents, loadFollowing, replaceState } from './server-state.ts'
import type { ServerState } from './server-state-types.ts'
import { isSpectator, setSpectator } from './spectator.ts'
import {
  catchUpWindows,
  endResuming,
  forgetWindows,
  isShownWindowReading,
  reloadWindows,
  restoreWindows,
  windowsToKeep,
} from './windows.ts'

const capabilities = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: false,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
  user_list_incomplete: true,
  include_deactivated_groups: true,
  archived_channels: true,
  empty_topic_name: true,
  simplified_presence_events: true,
}

/** A state that was registered longer ago is registered anew at the next visit, in milliseconds. */
const registerEvery = 6 * 3600_000

/** The parameters with which the client registers. */
export const registration = {
  apply_markdown: true,
  client_gravatar: false,
  slim_presence: true,
  include_subscribers: false,
  presence_history_limit_days: 1,
  client_capabilities: capabilities,
}

/** `isReady`: whether the state of the organization has arrived. */
const [isReady, setReady] = createRoot(() => createSignal(false))
/** `isConnected`: whether the client hears of changes now. */
const [isConnected, setConnected] = createRoot(() => createSignal(true))

/** `isHindered`: whether requests have failed, and are being repeated. */
const [isHindered, setHindered] = createRoot(() => createSignal(false))
onHindered(setHindered)

export { isConnected, isHindered, isReady }

const [bootFailure, setBootFailure] = createRoot(() => createSignal<Error>())

/** Why the client could not begin, if it could not. */
export { bootFailure, setBootFailure }

type Listener = (events: WireEvent[]) => void
const listeners = new Set<Listener>()

/** Calls a listener with all events after they were folded, once per frame; returns what ends this. */
export function onEvents(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** How many of the first changes of messages are kept, for listeners whose part of the page is loaded later. */
const earlyChanges = 100
const firstChanges: WireEvent[] = []

/** Calls a listener as `onEvents` does, and first with the changes of messages that came before its part of the page was loaded. */
export function onMoves(listener: Listener) {
  listener(firstChanges)
  onEvents(listener)
}

let stream: EventStream | undefined

/** When the state was registered that is shown, in milliseconds since 1970. */
let registeredAt = 0

/**
 * Shows the state of the last visit, before the first view. What has changed since then comes as events. Returns whether
 * it could be shown.
 */
export function showKept(kept: Kept): boolean {
  const { state, windows, messages } = kept
  try {
    batch(() => {
      for (const one of messages) putMessage(one)
      restoreWindows(windows)
      replaceState(state)
      setOwner(state.user_id)
      setConnected(false)
    })
  } catch (error) {
    console.error(error)
    forgetWindows()
    void forgetKept()
    return false
  }
  registeredAt = kept.registeredAt
  setReady(true)
  return true
}

/**
 * Begins to follow the events, also through restarts and lost queues: from the state that was shown, or from one that the
 * server returns.
 */
export async function startSession(kept: Kept | undefined) {
  startKeeping(snapshot)
  if (!kept) return register()
  await loadFollowing()
  if (mayGoOn() && (await holdQueue(kept.state.queue_id))) void follow(kept.state)
  // Without a connection, the page goes on with what it has.
  else void registerAgain()
}

/**
 * Whether the kept state may go on with its events. Some settings of the server come with no event, and those who reload the
 * page expect it to be right again.
 */
function mayGoOn() {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type !== 'reload' && Date.now() - registeredAt < registerEvery
}

async function register() {
  const [state] = await Promise.all([
    untilDone(() => post<ServerState>('/register', registration)),
    loadFollowing(),
  ])
  const isFirst = !isReady()
  // Nothing of one user may be sent in the name of another who has signed in meanwhile.
  if (!isFirst && state.user_id !== currentState().user_id) {
    await endKeeping()
    location.reload()
    return
  }
  replaceState(state)
  setOwner(state.user_id)
  registeredAt = Date.now()
  waiting = []
  // Spectators get no events.
  setSpectator(state.queue_id === null)
  setReady(true)
  if (isSpectator()) return
  void forgetNewerThan(state.last_event_id)
  if (isFirst) catchUpWindows()
  else {
    reloadWindows()
    resumeOutbox()
  }
  void holdQueue(state.queue_id)
  void follow(state)
}

/** For a page that shows a state already: a server that does not answer is no reason to give up. */
async function registerAgain(): Promise<void> {
  try {
    await register()
  } catch (error) {
    if (!(error instanceof ApiFailure) || !error.isTemporary) return void setBootFailure(error as Error)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await registerAgain()
  }
}

async function follow({ queue_id, last_event_id }: ServerState) {
  const { EventStream } = await loadFollowing()
  stream = new EventStream(queue_id, last_event_id, {
    events: receive,
    upToDate() {
      foldWaiting()
      endResuming()
    },
    connected(isOpen) {
      if (isOpen && !isConnected()) resumeOutbox()
      setConnected(isOpen)
      if (isOpen) tryWaiting()
    },
    expired() {
      stream = undefined
      setConnected(false)
      void registerAgain()
    },
    signedOut: () => signedOut(false),
  })
  stream.start()
}

/** Goes on immediately with a session that the user has begun anew. */
export function goOn() {
  stream?.hurry()
  resumeOutbox()
}

/**
 * The state up to the last event that has arrived, to be kept for the next visit. There is none while messages are read:
 * it would take the place of one that has them.
 */
function snapshot(): Kept | undefined {
  if (!stream || isShownWindowReading()) return undefined
  foldWaiting()
  const state = withoutSecrets({ ...currentState(), last_event_id: stream.position })
  const windows = windowsToKeep()
  const messages = windows.flatMap(({ ids }) => ids.map(message)).filter((one) => one !== undefined)
  return { state, windows, messages, registeredAt }
}

/** Keys of bots are no business of the browser's storage; the screen of the bots reads them again. */
function withoutSecrets(state: ServerState): ServerState {
  const bots = state.realm_bots?.map(({ api_key: _, services, ...bot }) => {
    return { ...bot, services: services.map(({ base_url }) => ({ base_url })) }
  })
  return { ...state, realm_bots: bots as ServerState['realm_bots'] }
}

/** Reads the channels again, for spectators: they get no events. */
export async function refreshChannels() {
  const params = { ...registration, fetch_event_types: ['subscription'] }
  const { subscriptions } = await post<Pick<ServerState, 'subscriptions'>>('/register', params)
  const state = currentState()
  if (JSON.stringify(subscriptions) !== JSON.stringify(state.subscriptions)) {
    replaceState({ ...state, subscriptions })
  }
}

let waiting: WireEvent[] = []
let isScheduled = false

/** Events are folded once per frame, however many come. */
function receive(events: WireEvent[]) {
  waiting.push(...events)
  if (isScheduled) return
  isScheduled = true
  // A page that becomes hidden in between gets no frame, and its timer comes instead.
  setTimeout(foldWaiting, document.visibilityState === 'hidden' ? 50 : 500)
  requestAnimationFrame(foldWaiting)
}

function foldWaiting() {
  if (!isScheduled) return
  isScheduled = false
  const events = waiting
  waiting = []
  if (events.length === 0) return
  batch(() => {
    foldEvents(events)
    foldMessages(events)
  })
  if (firstChanges.length < earlyChanges)
    firstChanges.push(...events.filter(({ type }) => type === 'update_message'))
  for (const listener of listeners) listener(events)
}
