import { addPlayground } from './add-playground.ts'
import { realmPlaygroundsEvent } from './realm_playgrounds.event.ts'
import { removePlayground } from './remove-playground.ts'

export const endpoints = [addPlayground, removePlayground]

export const eventTypes = [realmPlaygroundsEvent]

export { consequences } from './consequences.ts'
