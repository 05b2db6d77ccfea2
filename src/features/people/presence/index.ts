import { presenceEvent } from '../kernel/presence/presence.event.ts'
import { getPresences } from './get-presences.ts'
import { getUserPresence } from './get-user-presence.ts'
import { reportPresence } from './report-presence.ts'

export const endpoints = [reportPresence, getPresences, getUserPresence]

export const eventTypes = [presenceEvent]

export { consequences } from './consequences.ts'
