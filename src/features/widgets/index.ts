import { addSubmessage } from './add-submessage.ts'
import { submessageEvent } from './submessage.event.ts'

/** The operations of this capability. */
export const endpoints = [addSubmessage]

/** Its types of events. */
export const eventTypes = [submessageEvent]
