import { addSubmessage } from './add-submessage.ts'
import { submessageEvent } from './submessage.event.ts'

export const endpoints = [addSubmessage]

export const eventTypes = [submessageEvent]
