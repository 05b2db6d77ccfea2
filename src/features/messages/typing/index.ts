import { tellEditing } from './tell-editing.ts'
import { tellTyping } from './tell-typing.ts'
import { typingEvent } from './typing.event.ts'
import { typingEditMessageEvent } from './typing_edit_message.event.ts'

export const endpoints = [tellEditing, tellTyping]

export const eventTypes = [typingEvent, typingEditMessageEvent]
