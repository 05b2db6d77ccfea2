import { markOnboardingStep } from './mark-step.ts'
import { onboardingStepsEvent } from './onboarding_steps.event.ts'

/** The operations of this capability. */
export const endpoints = [markOnboardingStep]

/** Its types of events. */
export const eventTypes = [onboardingStepsEvent]
