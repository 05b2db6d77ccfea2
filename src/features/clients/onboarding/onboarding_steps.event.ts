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

/** The hints that the caller is still to be shown: all of them, as they are now. */
export const onboardingStepsEvent = {
  type: 'onboarding_steps',

  apply(state: ClientState, { onboarding_steps }: OnboardingStepsEvent) {
    if (state.onboarding_steps) state.onboarding_steps = onboarding_steps
  },
} satisfies EventType<OnboardingStepsEvent>
