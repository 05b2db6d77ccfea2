import { createEffect, createRoot, createSignal } from 'solid-js'
import type { WireEvent } from '../../api/stream.ts'
import { untilLoaded } from '../../lib/load-part.ts'
import { isReady, onEvents } from '../../store/session.ts'
import { isSpectator } from '../../store/spectator.ts'
import { noticeFailure } from '../parts/notices.tsx'

const [permission, setPermission] = createRoot(() => createSignal(permissionNow()))

/** Whether the browser shows notifications: 'default' means that the user was not asked yet. */
export { permission }

/** Asks the user; browsers allow it only after a click. */
export async function askForNotifications() {
  await Notification.requestPermission()
  setPermission(permissionNow())
}

const [hasActed, setActed] = createRoot(() => createSignal(false))

/** Announces new messages from when the user allows it; with sounds, from their first click or key in this tab. */
export function watchForNotifications() {
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, () => setActed(true))
  createEffect(() => {
    if ((permission() === 'granted' || hasActed()) && isReady() && !isSpectator()) void begin()
  })
}

let hasBegun = false

async function begin() {
  if (hasBegun) return
  hasBegun = true
  const early: WireEvent[] = []
  const stop = onEvents((events) => void early.push(...events))
  try {
    const { announceMessages, seekLead } = await untilLoaded(() => import('./announcing.ts'))
    await seekLead()
    announceMessages(early)
  } catch (error) {
    hasBegun = false
    // For sounds alone, the next click tries again.
    setActed(false)
    if (permission() === 'granted') noticeFailure(error)
  } finally {
    stop()
  }
}

function permissionNow(): NotificationPermission {
  return 'Notification' in window ? Notification.permission : 'denied'
}
