import { get, post, remove } from '../api/client.ts'
import { trustedWorker } from '../lib/trusted-html.ts'

type Known = { public_key: string; subscriptions: { endpoint: string }[] }

const path = '/rookery/push_subscriptions'

/**
 * Has the server push notifications to this browser, which its service worker shows also when no tab is open. Does
 * nothing if the browser cannot: then notifications come from open tabs alone.
 */
export async function turnOnPush() {
  try {
    if (navigator.serviceWorker && 'PushManager' in window) await subscribe()
  } catch {
    // Private windows, browsers without a push service, and a server that is away: the next start tries again.
  }
}

async function subscribe() {
  await navigator.serviceWorker.register(trustedWorker(), { scope: '/' })
  const { pushManager } = await navigator.serviceWorker.ready
  const { public_key, subscriptions } = await get<Known>(path)
  const before = await pushManager.getSubscription()
  if (before && subscriptions.some(({ endpoint }) => endpoint === before.endpoint)) return
  // The subscription belongs to another user of this browser, or the server has dropped it.
  await before?.unsubscribe()
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key })
  await post(path, { subscription: made.toJSON() })
}

/** Ends what `turnOnPush` has begun, and closes the notifications that are shown. */
export async function turnOffPush() {
  const registration = await navigator.serviceWorker?.getRegistration('/')
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close()
  const subscription = await registration?.pushManager?.getSubscription()
  if (!subscription) return
  const { endpoint } = subscription
  // The server forgets a subscription that has ended, at the latest when it pushes to it.
  await Promise.allSettled([remove(path, { endpoint }), subscription.unsubscribe()])
}
