import { onCleanup } from 'solid-js'
import { post } from '../../api/client.ts'
import type { Term } from '../../lib/route.ts'
import { isUnread } from '../../store/messages.ts'
import { field } from '../../store/server-state.ts'
import { onEvents } from '../../store/session.ts'
import { coveredIn } from './covered.ts'

/** How long a message must have been in view to count as read, and how often read messages are reported, in ms. */
const seenAfter = 600
const reportEvery = 1000

let isHeld = false

/** Messages that were in view for long enough, and are to be reported. */
const seen = new Set<number>()
/** Messages that were reported, until the event has come that they are read. */
const reported = new Set<number>()
/** The report that is under way. */
let sending = Promise.resolve()

/**
 * Marks nothing as read until another view is opened: the user marks messages as unread, from this one on. Resolves when no
 * report is under way that would undo that.
 */
export function holdReading(from: number): Promise<void> {
  isHeld = true
  for (const id of seen) if (id >= from) seen.delete(id)
  return sending
}

/** When scrolling marks messages as read: the user's setting, with the API's numbers. */
const policies = { always: 1, conversationsOnly: 2, never: 3 }

/** The kind of a list. Searches, mentions and stars never mark messages as read. */
type Place = 'conversation' | 'feed' | 'search'

/** The feeds are those of all messages, of one channel, and of all direct messages. */
export function placeOf([first, second]: Term[]): Place {
  if (!first) return 'feed'
  const isFeed = first.operator === 'channel' || (first.operator === 'is' && first.operand === 'dm')
  return isFeed && !second ? 'feed' : 'search'
}

/**
 * Marks messages as read while the reader looks at them: when their end was in view for a moment, in a window that has
 * the focus.
 */
export function watchReading(rows: HTMLElement, place: () => Place) {
  isHeld = false
  reported.clear()
  const seenSince = new Map<number, number>()
  /** Messages that were marked as unread while they are shown, also with another client: they stay so. */
  const keptUnread = new Set<number>()
  const stop = onEvents((events) => {
    for (const { type, op, flag, messages } of events) {
      if (type !== 'update_message_flags' || flag !== 'read' || op !== 'remove') continue
      for (const id of messages as number[]) {
        seen.delete(id)
        keptUnread.add(id)
      }
    }
  })
  const look = setInterval(() => {
    for (const id of reported) if (!isUnread(id)) reported.delete(id)
    if (isHeld || !mayMark(place()) || !document.hasFocus() || document.visibilityState !== 'visible') return
    const now = performance.now()
    const inView = unreadInView(rows)
    for (const id of seenSince.keys()) if (!inView.includes(id)) seenSince.delete(id)
    for (const id of inView) {
      const since = seenSince.get(id)
      if (since === undefined) seenSince.set(id, now)
      else if (now - since >= seenAfter && !reported.has(id) && !keptUnread.has(id)) seen.add(id)
    }
  }, 300)
  const report = setInterval(send, reportEvery)
  onCleanup(() => {
    stop()
    clearInterval(look)
    clearInterval(report)
    send()
  })
}

function send() {
  const messages = [...seen].filter(isUnread)
  seen.clear()
  if (messages.length === 0) return
  for (const id of messages) reported.add(id)
  // A failure leaves the messages unread, and the next look tries again.
  const forget = () => {
    for (const id of messages) reported.delete(id)
  }
  const report = post('/messages/flags', { messages, op: 'add', flag: 'read' }, { keepalive: true })
  sending = Promise.all([sending, report.then(() => {}, forget)]).then(() => {})
}

function mayMark(place: Place) {
  if (place === 'search') return false
  // Undefined before the state has arrived: then nothing is marked, as the user may not want it.
  const policy = field('user_settings')?.web_mark_read_on_scroll_policy
  return policy === policies.always || (policy === policies.conversationsOnly && place === 'conversation')
}

function unreadInView(rows: HTMLElement): number[] {
  const scroller = rows.parentElement
  if (!scroller) return []
  const view = scroller.getBoundingClientRect()
  const start = view.top + coveredIn(scroller)
  const found: number[] = []
  for (const row of rows.querySelectorAll<HTMLElement>('[data-id].unread')) {
    const { bottom } = row.getBoundingClientRect()
    if (bottom > view.bottom + 2) break
    if (bottom > start) found.push(Number(row.dataset.id))
  }
  return found
}
