import { expect, test } from 'vitest'
import type { Wire } from '../../../../test/client.ts'
import type { Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'

const { organization, pass } = testServer({ standsStill: true })
const day = 86_400

async function fullMembers(person: Person): Promise<number[]> {
  const { state } = await person.register({ event_types: ['realm_user_groups'] })
  return state.realm_user_groups.find(({ name }: Wire) => name === 'role:fullmembers').members
}

test('a member is among the full members from the moment on in which the waiting period ends', async () => {
  const org = await organization()
  await org.owner.patch('/realm', { waiting_period_threshold: 3 })
  const anna = await org.person()
  pass(day)
  const ben = await org.person()
  pass(2 * day - 1)
  expect(await fullMembers(anna)).toEqual([])
  pass(1)
  expect(await fullMembers(anna)).toEqual([anna.id])
  pass(day)
  expect(await fullMembers(anna)).toEqual([anna.id, ben.id])
})
