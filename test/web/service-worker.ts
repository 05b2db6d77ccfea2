import type { BrowserContext, Page, Worker } from 'playwright-core'
import { expect } from 'vitest'

// The browser of the tests has neither a push service nor a desktop. So a page gets a subscription with the push service
// of the tests, and the service worker notes what it would show. All else is the browser's own.

/** The key under which a page keeps the state of its stand-ins, through reloads. */
const kept = 'push-of-tests'

/** Has pages of a profile subscribe with this subscription, and allow notifications once they are asked. */
export async function allowPushes(context: BrowserContext, subscription: object) {
  await context.addInitScript(`{
    const state = () => JSON.parse(localStorage.getItem('${kept}') ?? '{}')
    const keep = (next) => localStorage.setItem('${kept}', JSON.stringify({ ...state(), ...next }))
    const subscription = ${JSON.stringify(subscription)}
    const made = {
      endpoint: subscription.endpoint,
      toJSON: () => subscription,
      unsubscribe: async () => (keep({ key: undefined }), true),
    }
    PushManager.prototype.getSubscription = async () => (state().key ? made : null)
    PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => (keep({ key }), made)
    window.noted = []
    window.Notification = class extends EventTarget {
      static get permission() { return state().permission ?? 'default' }
      static async requestPermission() { keep({ permission: 'granted' }); return 'granted' }
      constructor(title) { super(); window.noted.push(title) }
      close() {}
    }
  }`)
}

/** The server's key with which a page has subscribed; undefined if it has no subscription. */
export function subscribedWith(page: Page): Promise<string | undefined> {
  return page.evaluate(`JSON.parse(localStorage.getItem('${kept}') ?? '{}').key`)
}

type Shown = { title: string; body: string; tag: string; ids: number[] }

/** The service worker of a profile. It notes the notifications that it shows. */
export async function openWorker(context: BrowserContext) {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  await worker.evaluate(standIns)
  return {
    deliver: await postman(context, worker),
    shown: () =>
      worker.evaluate<Shown[]>(
        'shown.map(({ title, body, tag, data }) => ({ title, body, tag, ids: data?.ids }))',
      ),
    /** The views opened in new tabs. */
    opened: () => worker.evaluate<string[]>('opened'),
    /** How often the worker has given its subscription up. */
    givenUp: () => worker.evaluate<number>('givenUp'),
    /** Clicks the notification with a title. */
    click: (title: string) =>
      worker.evaluate(`{
      const event = new ExtendableEvent('notificationclick')
      Object.defineProperty(event, 'waitUntil', { value: () => {} })
      event.notification = shown.find((one) => one.title === '${title}')
      dispatchEvent(event)
    }`),
  }
}

const standIns = `
  self.shown = []
  self.opened = []
  self.givenUp = 0
  registration.showNotification = async (title, options) => {
    const others = shown.filter(({ tag }) => tag !== options.tag)
    const one = { title, ...options, close: () => void (shown = shown.filter((other) => other !== one)) }
    shown = [...others, one]
  }
  registration.getNotifications = async ({ tag } = {}) => shown.filter((one) => !tag || one.tag === tag)
  registration.pushManager.getSubscription = async () => ({ unsubscribe: async () => void givenUp++ })
  clients.openWindow = async (url) => void opened.push(url)`

/** Returns a function that hands payloads to the worker, as the browser does after it has decrypted them. */
async function postman(context: BrowserContext, worker: Worker) {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  const ids: string[] = []
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    for (const { registrationId, scopeURL } of registrations) {
      if (worker.url().startsWith(scopeURL)) ids.push(registrationId)
    }
  })
  await devtools.send('ServiceWorker.enable')
  await expect.poll(() => ids.length).toBeGreaterThan(0)
  return async (payloads: object[]) => {
    for (const payload of payloads) {
      await devtools.send('ServiceWorker.deliverPushMessage', {
        origin: new URL(worker.url()).origin,
        registrationId: ids[0]!,
        data: JSON.stringify(payload),
      })
    }
  }
}
