import { getPresences } from './get-presences.ts'
import { getUserPresence } from './get-user-presence.ts'
import { presenceEvent } from './presence.event.ts'
import { reportPresence } from './report-presence.ts'

/** The operations of this capability. */
export const endpoints = [reportPresence, getPresences, getUserPresence]

/** Its types of events. */
export const eventTypes = [presenceEvent]
