import { createRoot, createSignal } from 'solid-js'
import { type Route, wholeChannel } from '../../lib/route.ts'
import { conversationAt } from '../../store/places.ts'

/** From this width on, in CSS pixels, the panel stands beside the view; below, it lies over it. */
const wide = matchMedia('(min-width: 1100px)')
const storageKey = 'rookery.details'

const [isOpen, setOpen] = createRoot(() =>
  createSignal(wide.matches && localStorage.getItem(storageKey) === 'open'),
)

/** Whether the panel with the details of a conversation is wanted. */
export { isOpen as areDetailsOpen }

export function isBeside() {
  return wide.matches
}

/** Opens or closes the panel. Beside the view it stays as it was, also in the next visit. */
export function toggleDetails(toOpen = !isOpen()) {
  setOpen(toOpen)
  if (wide.matches) localStorage.setItem(storageKey, toOpen ? 'open' : 'closed')
}

export type DetailsOf = { channelId: number } | { userIds: number[] }

/** Returns the object of a view's details: a channel, one of its topics, or a direct conversation. */
export function detailsOf(place: Route): DetailsOf | undefined {
  if (place.view !== 'narrow') return undefined
  const conversation = conversationAt(place)
  if (conversation) return conversation
  const channelId = wholeChannel(place.terms)
  return channelId === undefined ? undefined : { channelId }
}
