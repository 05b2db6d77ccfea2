import { batch, createRoot, createSignal } from 'solid-js'
import { hashOf, parseHash, type Route } from './route.ts'

/** The user whose address was opened, which is that of no view: their card lies over the one before. */
const [askedUser, setAskedUser] = createRoot(() =>
  createSignal<number | undefined>(undefined, { equals: false }),
)

export { askedUser }

/** If the address is that of a user, asks for their card, and puts the address `before` in its place. Returns whether it was. */
function askedForUser(before: string): boolean {
  const [, id] = /^#user\/(\d+)/.exec(location.hash) ?? []
  if (!id) return false
  history.replaceState(null, '', before)
  setAskedUser(Number(id))
  return true
}

askedForUser(location.pathname)

const [route, setRoute] = createRoot(() => createSignal<Route>(parseHash(location.hash)))

/** The view that the address names. */
export { route }

/** How often the user has gone to a view. That another one took its place, as when a topic is renamed, does not count. */
const [visits, setVisits] = createRoot(() => createSignal(0))

export { visits }

function visit() {
  batch(() => {
    setVisits((count) => count + 1)
    setRoute(parseHash(location.hash))
  })
}

/** The address that was open before the settings, to which they lead back. */
export let beforeSettings = '#inbox'

/** Called before another view replaces this one. Returns true to prevent that until `go` is called. */
export type Guard = (go: () => void) => boolean
const guards: Guard[] = []

/** Guards the view, or a dialog over it, until the function that it returns is called. The last guard is asked first. */
export function guardRoute(guard: Guard): () => void {
  guards.unshift(guard)
  return () => guards.splice(guards.indexOf(guard), 1)
}

const isHeld = (hash: string) => guards.some((guard) => guard(() => goToHash(hash)))

/** The address for which the page shows a view. */
let shown = location.href

/** Shows the view of the browser's address, if it has changed: by its history, by a link, or because the user typed one. */
function follow() {
  if (location.href === shown) return
  const before = shown
  shown = location.href
  if (askedForUser(before)) shown = location.href
  else if (isHeld(location.hash)) replaceAddress(before, null)
  else {
    if (route().view !== 'settings') beforeSettings = new URL(before).hash
    visit()
  }
}

function replaceAddress(address: string, state: unknown) {
  history.replaceState(state, '', address)
  shown = location.href
}

addEventListener('hashchange', follow)
// The browser reports a new address a moment later. A key that is pressed meanwhile is meant for the new view.
addEventListener('keydown', follow, true)
// So is a press; what it was on goes with the view before.
for (const type of ['pointerdown', 'click']) addEventListener(type, pressInShown, true)

function pressInShown(event: Event) {
  follow()
  if ((event.target as Node).isConnected) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** How links name channels, so that people can read them. */
let names: { channel?: (id: number) => string | undefined } = {}

export function useNames(next: typeof names) {
  names = next
}

/** The address of a view. */
export function linkTo(route: Route): string {
  return hashOf(route, names)
}

/** Goes to a view; the browser's history has the one before. */
export function goTo(route: Route) {
  goToHash(linkTo(route))
}

/** Goes to the address of a view. If it is the present one, the view begins there again. */
export function goToHash(hash: string) {
  if (location.hash === hash) visit()
  else if (!isHeld(hash)) location.hash = hash
}

/** Goes to a view in place of this one. */
export function replaceRoute(route: Route) {
  replaceAddress(linkTo(route), history.state)
  setRoute(route)
}
