import type { RealmState } from '../../../../log/realm-state.ts'

/** A hint for newcomers: one that is read, or one that asks for something to be done. */
export type OnboardingStep = { type: 'one_time_notice' | 'one_time_action'; name: string }

/** The hints that clients can give, by their names there. */
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

/** The names of those that somebody has seen. */
export function seenSteps(realm: RealmState, userId: number): string[] {
  return realm.onboarding.get(userId)?.seen ?? []
}

/** The others. */
export function stepsLeft(seen: string[]): OnboardingStep[] {
  return steps.filter(({ name }) => !seen.includes(name))
}
