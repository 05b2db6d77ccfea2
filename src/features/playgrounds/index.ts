import { addPlayground } from './add-playground.ts'
import { realmPlaygroundsEvent } from './realm_playgrounds.event.ts'
import { removePlayground } from './remove-playground.ts'

/** The operations of this capability. */
export const endpoints = [addPlayground, removePlayground]

/** Its types of events. */
export const eventTypes = [realmPlaygroundsEvent]
