import { onCleanup } from 'solid-js'
import { post } from '../../api/client.ts'
import type { Term } from '../../lib/route.ts'
import { isUnread } from '../../store/messages.ts'
import { field } from '../../store/server-state.ts'

/** How long a message must have been in view to count as read, and how often read messages are reported, in ms. */
const seenAfter = 600
const reportEvery = 1000

let isHeld = false

/** Marks nothing as read until another view is opened: the user has just marked messages as unread. */
export function holdReading() {
  isHeld = true
}

/** When scrolling marks messages as read: the user's setting, with the API's numbers. */
const policies = { always: 1, conversationsOnly: 2, never: 3 }

/** What a list shows. Searches, mentions and stars never mark messages as read. */
type Place = 'conversation' | 'feed' | 'search'

/** The feeds are those of all messages, of one channel, and of all direct messages. */
export function placeOf([first, second]: Term[]): Place {
  if (!first) return 'feed'
  const isFeed = first.operator === 'channel' || (first.operator === 'is' && first.operand === 'dm')
  return isFeed && !second && !first.negated ? 'feed' : 'search'
}

/**
 * Marks messages as read while the reader looks at them: when their end was in view for a moment, in a window that has
 * the focus.
 */
export function watchReading(rows: HTMLElement, place: () => Place) {
  isHeld = false
  const seenSince = new Map<number, number>()
  const read = new Set<number>()
  const look = setInterval(() => {
    if (isHeld || !mayMark(place()) || !document.hasFocus() || document.visibilityState !== 'visible') return
    const now = performance.now()
    const inView = unreadInView(rows)
    for (const id of seenSince.keys()) if (!inView.includes(id)) seenSince.delete(id)
    for (const id of inView) {
      const since = seenSince.get(id)
      if (since === undefined) seenSince.set(id, now)
      else if (now - since >= seenAfter) read.add(id)
    }
  }, 300)
  let isSending = false
  const report = setInterval(() => {
    // On a slow connection, the same messages would be reported again before the answer has come.
    if (isSending) return
    isSending = true
    void send(read).finally(() => {
      isSending = false
    })
  }, reportEvery)
  onCleanup(() => {
    clearInterval(look)
    clearInterval(report)
    void send(read)
  })
}

async function send(read: Set<number>) {
  const messages = [...read].filter(isUnread)
  read.clear()
  if (messages.length === 0) return
  // A failure leaves the messages unread, and the next look tries again.
  await post('/messages/flags', { messages, op: 'add', flag: 'read' }, { keepalive: true }).catch(() => {})
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
  const found: number[] = []
  for (const row of rows.querySelectorAll<HTMLElement>('[data-id].unread')) {
    const { bottom } = row.getBoundingClientRect()
    if (bottom > view.bottom + 2) break
    if (bottom > view.top) found.push(Number(row.dataset.id))
  }
  return found
}
