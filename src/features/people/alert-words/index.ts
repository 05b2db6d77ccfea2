import { addAlertWords } from './add-alert-words.ts'
import { alertWordsEvent } from './alert_words.event.ts'
import { getAlertWords } from './get-alert-words.ts'
import { removeAlertWords } from './remove-alert-words.ts'

export const endpoints = [addAlertWords, removeAlertWords, getAlertWords]

export const eventTypes = [alertWordsEvent]
