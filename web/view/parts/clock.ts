import { createRoot, createSignal } from 'solid-js'
import { followZone } from '../../lib/time.ts'

const [now, setNow] = createRoot(() => createSignal(Math.floor(Date.now() / 1000)))

/** The time in seconds, exact to half a minute: for ages and presence. */
export { now }

function look() {
  if (document.visibilityState === 'hidden') return
  followZone()
  setNow(Math.floor(Date.now() / 1000))
}

setInterval(look, 30_000)
document.addEventListener('visibilitychange', look)
