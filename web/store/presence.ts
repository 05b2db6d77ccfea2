import { post } from '../api/client.ts'
import { currentState, field, learnPresences } from './server-state.ts'
import type { ServerState } from './server-state-types.ts'

/** A user who has done nothing for so long has left the screen, in milliseconds. */
const idleAfter = 5 * 60_000

const inputs = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'focus']

let lastInput = Date.now()
let isReportedActive = false
/** Whether the user did something since the last report. */
let isInputNew = true

/**
 * Reports that the user is there, regularly, and as soon as they come back to the screen. The responses say who else is
 * there: in a large organization, no events do.
 */
export function startReportingPresence() {
  for (const name of inputs) addEventListener(name, noteInput, { passive: true })
  waitToReport()
  setInterval(reportRegularly, currentState().server_presence_ping_interval_seconds * 1000)
  void report()
}

function noteInput() {
  lastInput = Date.now()
  isInputNew = true
  if (!isReportedActive && isActive()) void report()
}

function isActive() {
  return document.hasFocus() && Date.now() - lastInput < idleAfter
}

/** Only one of the hidden tabs of a browser reports; the others would repeat it. */
let isReporter = !navigator.locks

/** Makes this tab the one that reports while hidden, as soon as no older one does. It stays so until it ends. */
function waitToReport() {
  const hold = () => {
    isReporter = true
    return new Promise(() => {})
  }
  void navigator.locks?.request('rookery.presence', hold).catch(() => {})
}

function reportRegularly() {
  if (document.visibilityState === 'visible' || isReporter) void report()
}

async function report() {
  if (field('realm_presence_disabled')) return
  isReportedActive = isActive()
  const told = { status: isReportedActive ? 'active' : 'idle', new_user_input: isInputNew }
  isInputNew = false
  const since = { last_update_id: currentState().presence_last_update_id }
  // A report that is lost is followed by the next one.
  const heard = await post<Partial<ServerState>>('/users/me/presence', { ...told, ...since }).catch(() => {})
  if (heard?.presences) learnPresences(heard.presences, heard.presence_last_update_id ?? -1)
}
