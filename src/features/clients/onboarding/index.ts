import { markOnboardingStep } from './mark-step.ts'
import { onboardingStepsEvent } from './onboarding_steps.event.ts'

export const endpoints = [markOnboardingStep]

export const eventTypes = [onboardingStepsEvent]
