import { currentState } from './server-state.ts'

/** Returns the address of the view that the user has chosen as the first one. */
export function home(): string {
  const { web_home_view } = currentState().user_settings
  return { recent_topics: '#recent', all_messages: '#feed' }[web_home_view] ?? '#inbox'
}
