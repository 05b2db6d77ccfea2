import { addReaction } from './add-reaction.ts'
import { reactionEvent } from './reaction.event.ts'
import { removeReaction } from './remove-reaction.ts'

/** The operations of this capability. */
export const endpoints = [addReaction, removeReaction]

/** Its types of events. */
export const eventTypes = [reactionEvent]
