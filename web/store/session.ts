import { batch, createRoot, createSignal } from 'solid-js'
import { onHindered, post, untilDone } from '../api/client.ts'
import { EventStream, type WireEvent } from '../api/stream.ts'
import { foldMessages } from './fold-messages.ts'
import { resumeOutbox } from './outbox.ts'
import { currentState, foldEvents, loadApply, replaceState } from './server-state.ts'
import type { ServerState } from './server-state-types.ts'
import { isSpectator, setSpectator } from './spectator.ts'
import { catchUpWindows, reloadWindows } from './windows.ts'

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

let stream: EventStream | undefined

/** Registers, and follows the events from then on, also through restarts and lost queues. */
export async function startSession() {
  const [state] = await Promise.all([
    untilDone(() => post<ServerState>('/register', registration)),
    loadApply(),
  ])
  const isFirst = !isReady()
  replaceState(state)
  waiting = []
  // Spectators get no events.
  setSpectator(state.queue_id === null)
  setReady(true)
  if (isSpectator()) return
  if (isFirst) catchUpWindows()
  else {
    reloadWindows()
    resumeOutbox()
  }
  stream = new EventStream(state.queue_id, state.last_event_id, {
    events: receive,
    connected(isOpen) {
      if (isOpen && !isConnected()) resumeOutbox()
      setConnected(isOpen)
    },
    expired() {
      setConnected(false)
      void startSession()
    },
  })
  stream.start()
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
  for (const listener of listeners) listener(events)
}
