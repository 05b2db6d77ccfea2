import { onCleanup, onMount } from 'solid-js'

/**
 * Reads again what no event tells of, while the page is looked at: regularly, and when the reader comes back to it. `every`: how often,
 * in milliseconds.
 */
export function useRefresh(refresh: () => Promise<unknown>, every = 60_000) {
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
