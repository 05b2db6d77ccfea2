import { type Conversation, channelOfTerm, conversationOf, type Route } from '../lib/route.ts'
import { currentState } from './server-state.ts'

/** The conversation to which an address leads, if it leads to one. */
export function conversationAt(place: Route): Conversation | undefined {
  return place.view === 'narrow' ? conversationOf(place.terms, currentState().user_id) : undefined
}

/** The channel to which an address leads, or the channel of its topic. */
export function channelAt(place: Route): number | undefined {
  if (place.view === 'topics') return place.channelId
  return place.view === 'narrow' ? channelOfTerm(place.terms[0]) : undefined
}
