import { currentState } from './server-state.ts'

/** Marked as seen when the first steps of an organization are done or put off. */
export const firstStepsName = 'intro_inbox_view_modal'

/** Whether the user is the owner of an organization in which nobody else is yet, and has not left its first steps. */
export function isFirstStart(): boolean {
  const { is_owner, onboarding_steps = [], realm_users } = currentState()
  const isLeft = onboarding_steps.some(({ name }) => name === firstStepsName)
  return is_owner && isLeft && realm_users.filter(({ is_bot }) => !is_bot).length === 1
}

/** Returns the address of the view that the user has chosen as the first one. */
export function home(): string {
  const views: Record<string, string> = { recent_topics: '#recent', all_messages: '#feed' }
  return views[currentState().user_settings.web_home_view] ?? '#inbox'
}
