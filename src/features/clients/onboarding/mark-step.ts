import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { isStep, seenSteps, stepNames, stepsLeft } from '../kernel/onboarding/steps.ts'
import { onboardingStepsChanged } from './onboarding_steps.event.ts'

export const markOnboardingStep = command('POST /users/me/onboarding_steps', {
  summary: 'Mark an onboarding step as read',
  access: requireHuman,
  params: { onboarding_step: text().documentedAs({ enum: stepNames }) },
  returns: {},
  async handle({ me, params, commit }) {
    const step = params.onboarding_step
    if (!isStep(step)) throw badRequest(`Unknown onboarding_step: ${step}`)
    await commit(async (change) => {
      const before = seenSteps(change.state, me.id)
      const seen = before.includes(step) ? before : [...before, step]
      const isKnown = change.state.onboarding.get(me.id) !== undefined
      const row = { user_id: me.id, seen }
      await (isKnown ? change.update('onboarding', row) : change.insert('onboarding', row))
      change.emit(onboardingStepsChanged(stepsLeft(seen)), { users: [me.id] })
    })
    return {}
  },
})
