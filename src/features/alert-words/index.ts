import { addAlertWords } from './add-alert-words.ts'
import { alertWordsEvent } from './alert_words.event.ts'
import { getAlertWords } from './get-alert-words.ts'
import { removeAlertWords } from './remove-alert-words.ts'

/** The operations of this capability. */
export const endpoints = [addAlertWords, removeAlertWords, getAlertWords]

/** Its types of events. */
export const eventTypes = [alertWordsEvent]
