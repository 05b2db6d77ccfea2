import { expect } from 'vitest'
import type { Organization } from './organization.ts'
import type { Person } from './person.ts'

/** Adds Anna, Ben and a guest. */
export async function twoAndGuest(org: Organization) {
  const [anna, ben, guest] = await Promise.all([org.person(), org.person(), org.person({ role: 'guest' })])
  return { org, anna, ben, guest }
}

/** Reports that a user is active, unless `params` say otherwise; returns the response. */
export async function report(who: Person, params: object = {}) {
  return (await who.post('/users/me/presence', { status: 'active', ...params })).body
}

/** Waits until a node has written down reports that it received when the log was at `before`. */
export function written(org: Organization, before: number) {
  return expect.poll(() => org.log.state.position).toBeGreaterThan(before)
}
