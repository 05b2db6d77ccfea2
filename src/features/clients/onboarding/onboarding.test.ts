import { expect, test } from 'vitest'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('a hint is shown until the user has seen it', async () => {
  const org = await organization()
  const anna = await org.person()
  const [own, other] = [await anna.register(), await org.owner.register()]
  const names = (steps: { name: string }[]) => steps.map(({ name }) => name)
  const step = names(own.state.onboarding_steps)[0]!
  expect((await anna.post('/users/me/onboarding_steps', { onboarding_step: step })).status).toBe(200)
  const [event] = await own.events()
  expect(names(event!.onboarding_steps)).not.toContain(step)
  await own.expectStateToMatch()
  expect(await other.events()).toEqual([])
  expect(names((await org.owner.register()).state.onboarding_steps)).toContain(step)
  const bad = await anna.post('/users/me/onboarding_steps', { onboarding_step: 'zz' })
  expect(bad.body.msg).toBe('Unknown onboarding_step: zz')
})
