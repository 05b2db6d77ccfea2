import type { EventType } from '../../../queues/event-type.ts'
import type { OnboardingStep } from '../kernel/onboarding/steps.ts'
import { applyOnboardingSteps } from './onboarding_steps.apply.ts'

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

  apply: applyOnboardingSteps,
} satisfies EventType<OnboardingStepsEvent>
