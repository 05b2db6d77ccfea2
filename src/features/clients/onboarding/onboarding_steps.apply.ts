import type { ClientState } from '../../../queues/client-state.ts'

export function applyOnboardingSteps(
  state: ClientState,
  { onboarding_steps }: { onboarding_steps: object[] },
) {
  if (state.onboarding_steps) state.onboarding_steps = onboarding_steps
}
