import type { Route } from '../../lib/route.ts'
import { channelAt, conversationAt } from '../../store/places.ts'
import { currentState } from '../../store/server-state.ts'
import { openMenu } from '../parts/menu.tsx'

/** Opens the menu of the topic, channel or direct conversation to which an address leads; returns whether there is one. */
export function openMenuOf(place: Route, anchor: Element, label: string): boolean {
  if (place.view !== 'narrow' || (!conversationAt(place) && channelAt(place) === undefined)) return false
  openMenu(
    anchor,
    label,
    import('./menus.ts').then(({ menuOfPlace }) => menuOfPlace(place, currentState().user_id) ?? []),
  )
  return true
}
