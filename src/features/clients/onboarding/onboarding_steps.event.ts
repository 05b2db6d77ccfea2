import type { ClientState, EventType } from '../../../queues/event-type.ts'
import type { OnboardingStep } from '../kernel/onboarding/steps.ts'

type OnboardingStepsEvent = { type: 'onboarding_steps'; onboarding_steps: OnboardingStep[] }

export function onboardingStepsChanged(onboarding_steps: OnboardingStep[]): OnboardingStepsEvent {
  return { type: 'onboarding_steps', onboarding_steps }
}

declare module '../../../log/entry.ts' {
  interface Events {
    onboarding_steps: OnboardingStepsEvent
  }
}

/** The complete list of the hints that the current user has not seen. */
export const onboardingStepsEvent = {
  type: 'onboarding_steps',

  apply(state: ClientState, { onboarding_steps }: OnboardingStepsEvent) {
    if (state.onboarding_steps) state.onboarding_steps = onboarding_steps
  },
} satisfies EventType<OnboardingStepsEvent>
