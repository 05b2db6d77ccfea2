import { onCleanup, onMount } from 'solid-js'

/** How often the open view is read again while it is looked at, in milliseconds. */
const every = 60_000

/** Readers without an account get no events, so what they look at is read again: now and then, and when they come back to it. */
export function useRefresh(refresh: () => Promise<unknown>) {
  let isUnderWay = false
  const run = () => {
    if (isUnderWay || document.visibilityState !== 'visible') return
    isUnderWay = true
    void refresh()
      // A failure is not told: the next time tries again.
      .catch(() => {})
      .finally(() => {
        isUnderWay = false
      })
  }
  onMount(() => {
    const timer = setInterval(run, every)
    addEventListener('focus', run)
    addEventListener('online', run)
    document.addEventListener('visibilitychange', run)
    onCleanup(() => {
      clearInterval(timer)
      removeEventListener('focus', run)
      removeEventListener('online', run)
      document.removeEventListener('visibilitychange', run)
    })
  })
}
