import { inTurn } from '../lib/in-turn.ts'
import { closeNotes, type NoteData, showNote } from '../lib/notes.ts'
import { noteOf, type Pushed } from '../lib/pushed.ts'
import { forgetShared } from '../lib/shared.ts'
import type { Question } from '../lib/worker-questions.ts'
import { isShare, takeShare } from './share.ts'
import { cacheShell, removeOldShells, shellAsset, shellPage } from './shell.ts'

// The service worker: shows what the server pushes, also when no tab is open, and opens the client without network. It
// handles requests for the page, for the files of its build, and for what other applications share.

declare const self: ServiceWorkerGlobalScope

/** How long the answer of a tab may take, in milliseconds. A tab that the browser has frozen never answers. */
const patience = 1500
/** How long the worker waits for the server, in milliseconds. */
const serverPatience = 5000

self.addEventListener('install', (event) => {
  passBy(event)
  void self.skipWaiting()
  event.waitUntil(cacheShell())
})

self.addEventListener('activate', (event) => event.waitUntil(removeOldShells()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== self.location.origin) return
  // The stored state of the user ends with the session, which no link to this address ends.
  if (pathname === '/logout' && request.method === 'POST')
    event.waitUntil(Promise.all([forgetState(), forgetShared()]))
  if (isShare(request)) event.respondWith(takeShare(request))
  if (request.method !== 'GET') return
  if (request.mode === 'navigate' && pathname === '/') event.respondWith(shellPage(event))
  else if (pathname.startsWith('/assets/')) event.respondWith(shellAsset(request))
})

/** Excludes requests that the worker would leave alone, where the browser supports it: they do not even start the worker. */
function passBy(event: ExtendableEvent & { addRoutes?(rules: object[]): Promise<void> }) {
  const rules = ['json', 'api', 'user_avatars', 'user_uploads', 'static'].map((folder) => ({
    condition: { urlPattern: { pathname: `/${folder}/*` } },
    source: 'network',
  }))
  if (event.addRoutes) event.waitUntil(event.addRoutes(rules).catch(() => {}))
}

function forgetState(): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase('rookery')
    request.onsuccess = request.onerror = request.onblocked = () => resolve()
  })
}

// Notifications of one conversation replace each other, so pushes are handled one after another.
const handle = inTurn()

self.addEventListener('push', (event) => {
  const pushed: Pushed | undefined = event.data?.json()
  if (pushed) event.waitUntil(handle(() => receive(pushed)))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { hash = '' } = (event.notification.data ?? {}) as Partial<NoteData>
  event.waitUntil(open(hash))
})

async function receive(pushed: Pushed) {
  const { registration } = self
  if (pushed.type === 'remove') return closeNotes(registration, pushed.message_ids)
  if (!(await isSignedIn(pushed.user_id))) return
  if (pushed.type === 'message') {
    if (!(await doesTabAnnounce(pushed.message_id))) await showNote(registration, noteOf(pushed))
  } else if (pushed.type === 'test') {
    await registration.showNotification(pushed.realm_name, { body: pushed.realm_url, tag: 'test' })
  }
}

/**
 * Returns whether this browser is still signed in as the user. A session may have ended elsewhere, or without a script;
 * then the browser must show nothing more, and gives its subscription up. A server that does not answer says nothing.
 */
async function isSignedIn(userId: number): Promise<boolean> {
  const signal = AbortSignal.timeout(serverPatience)
  const response = await fetch('/json/users/me', { signal }).catch(() => undefined)
  if (response?.status === 401) {
    await (await self.registration.pushManager.getSubscription())?.unsubscribe()
    return false
  }
  const me = response?.ok ? await response.json().catch(() => undefined) : undefined
  return me === undefined || me.user_id === userId
}

/** Returns whether an open tab announces the message, unless the user looks at its conversation there. */
async function doesTabAnnounce(id: number): Promise<boolean> {
  const answers = (await tabs()).map((tab) => ask(tab, { type: 'announces', id }))
  return (await Promise.all(answers)).includes(true)
}

/** Opens a view in a tab of the client, or in a new one if no tab does it. */
async function open(hash: string) {
  const all = (await tabs()).toSorted((a, b) => Number(b.focused) - Number(a.focused))
  for (const tab of all) {
    if (!(await ask(tab, { type: 'open', hash }))) continue
    // A click allows one of both, to focus a tab or to open a window; so a tab is asked before.
    await tab.focus().catch(() => {})
    return
  }
  await self.clients.openWindow(`/${hash}`)
}

/** The tabs that show the web client, and not another page of the server. */
async function tabs() {
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return all.filter(({ url }) => new URL(url).pathname === '/')
}

function ask(tab: Client, question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(data === true)
    setTimeout(resolve, patience, false)
    tab.postMessage(question, [port2])
  })
}
