import { trustedWorker } from '../lib/trusted-html.ts'
import { type Kept, keep, mayKeep } from './kept-state.ts'

/** How long a tab waits for the queue of its last visit, which another tab may be using, in milliseconds. */
const patience = 400
/** When a state is kept after the start, and how often from then on, in milliseconds. */
const soon = 3000
/** When the service worker comes, with which the page opens without network: it loads all of the client. */
const later = 10_000
const often = 5 * 60_000

/** Returns whether this tab alone may use an event queue from now on, until it ends. */
export function holdQueue(queueId: string, wait = patience): Promise<boolean> {
  if (!mayKeep) return Promise.resolve(false)
  return new Promise((resolve) => {
    const hold = () => {
      resolve(true)
      return new Promise(() => {})
    }
    const options = { signal: AbortSignal.timeout(wait) }
    navigator.locks.request(`rookery.queue.${queueId}`, options, hold).catch(() => resolve(false))
  })
}

/**
 * Keeps what `snapshot` returns for the next visit: after a while, regularly, and when the page is hidden, which is the last
 * that many pages hear. One of the open tabs does so at a time.
 */
export function startKeeping(snapshot: () => Kept | undefined) {
  if (!mayKeep) return
  setTimeout(prepareForNoNetwork, later)
  void navigator.locks.request('rookery.keeper', () => {
    let last: number | undefined
    const save = () => {
      const kept = snapshot()
      if (!kept || kept.state.last_event_id === last) return
      last = kept.state.last_event_id
      void keep(kept).catch(() => {})
    }
    setTimeout(() => requestIdle(save), soon)
    setInterval(() => requestIdle(save), often)
    document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && save())
    addEventListener('pagehide', save)
    return new Promise(() => {})
  })
}

function prepareForNoNetwork() {
  void navigator.serviceWorker?.register(trustedWorker(), { scope: '/' }).catch(() => {})
}

/** Does something once the page has nothing else to do. */
export function requestIdle(work: () => void) {
  if (window.requestIdleCallback) window.requestIdleCallback(work, { timeout: 2000 })
  else work()
}
