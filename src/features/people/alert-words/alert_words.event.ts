import type { EventType } from '../../../queues/event-type.ts'
import { applyAlertWords } from './alert_words.apply.ts'

type AlertWordsEvent = { type: 'alert_words'; alert_words: string[] }

export function alertWordsChanged(alert_words: string[]): AlertWordsEvent {
  return { type: 'alert_words', alert_words }
}

declare module '../../../log/entry.ts' {
  interface Events {
    alert_words: AlertWordsEvent
  }
}

/** The complete list of the current user's alert words. */
export const alertWordsEvent = {
  type: 'alert_words',

  apply: applyAlertWords,
} satisfies EventType<AlertWordsEvent>
