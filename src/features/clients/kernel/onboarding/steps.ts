import type { RealmState } from '../../../../log/realm-state.ts'

/** A hint for new users: one to read, or one that asks for an action. */
export type OnboardingStep = { type: 'one_time_notice' | 'one_time_action'; name: string }

/** The hints that clients can show, by their names in clients. */
const steps: OnboardingStep[] = [
  ...[
    'intro_inbox_view_modal',
    'intro_recent_view_modal',
    'first_stream_created_banner',
    'jump_to_conversation_banner',
    'non_interleaved_view_messages_fading',
    'interleaved_view_messages_fading',
    'intro_resolve_topic',
    'navigation_tour_video',
  ].map((name): OnboardingStep => ({ type: 'one_time_notice', name })),
  { type: 'one_time_action', name: 'narrow_to_dm_with_welcome_bot_new_user' },
]

export const stepNames = steps.map(({ name }) => name)

export function isStep(name: string): boolean {
  return stepNames.includes(name)
}

/** Returns the names of the hints that a user has seen. */
export function seenSteps(realm: RealmState, userId: number): string[] {
  return realm.onboarding.get(userId)?.seen ?? []
}

/** Returns the remaining hints. */
export function stepsLeft(seen: string[]): OnboardingStep[] {
  return steps.filter(({ name }) => !seen.includes(name))
}
