import type { ClientState, EventType } from '../../../queues/event-type.ts'

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

  apply(state: ClientState, { alert_words }: AlertWordsEvent) {
    if (state.alert_words) state.alert_words = alert_words
  },
} satisfies EventType<AlertWordsEvent>
