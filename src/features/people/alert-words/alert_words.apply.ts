import type { ClientState } from '../../../queues/client-state.ts'

export function applyAlertWords(state: ClientState, { alert_words }: { alert_words: string[] }) {
  if (state.alert_words) state.alert_words = alert_words
}
