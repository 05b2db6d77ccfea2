import { reactionEvent } from '../../kernel/reactions/reaction.event.ts'
import { addReaction } from './add-reaction.ts'
import { removeReaction } from './remove-reaction.ts'

export const endpoints = [addReaction, removeReaction]

export const eventTypes = [reactionEvent]
