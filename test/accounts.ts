import { expect } from 'vitest'
import type { Organization } from './organization.ts'

type NewAccount = { name: string; email: string; password: string }

/** Creates a user with a password through the API. Unlike `org.personWithPassword`, the user has no API key before they log in. */
export async function createUser(org: Organization, { name, email, password }: NewAccount) {
  const { body } = await org.owner.post('/users', { email, full_name: name, password })
  expect(body).toMatchObject({ result: 'success' })
  return { id: body.user_id as number, email }
}
