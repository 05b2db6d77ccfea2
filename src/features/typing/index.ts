import { tellEditing } from './tell-editing.ts'
import { tellTyping } from './tell-typing.ts'
import { typingEvent } from './typing.event.ts'
import { typingEditMessageEvent } from './typing_edit_message.event.ts'

/** The operations of this capability. */
export const endpoints = [tellEditing, tellTyping]

/** Its types of events. */
export const eventTypes = [typingEvent, typingEditMessageEvent]
