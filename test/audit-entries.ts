import { expect } from 'vitest'
import type { Organization } from './organization.ts'
import type { Person } from './person.ts'

// The audit log of an organization, as an owner reads it.

export type AuditEntry = Record<string, unknown> & { id: number; kind: string }

export async function entriesOf(
  owner: Person,
  filter: Record<string, string | number> = {},
): Promise<AuditEntry[]> {
  const { status, body } = await owner.get('/rookery/audit_log', filter)
  expect(body).toMatchObject({ result: 'success' })
  expect(status).toBe(200)
  return body.entries
}

/** Returns a function that returns the entries since its last call, the oldest first. */
export async function watchAuditLog(org: Organization) {
  let seen = (await entriesOf(org.owner))[0]?.id ?? 0
  return async () => {
    const entries = (await entriesOf(org.owner, { limit: 1000 })).filter(({ id }) => id > seen).reverse()
    seen = entries.at(-1)?.id ?? seen
    return entries
  }
}

export const kindsOf = (entries: AuditEntry[]) => entries.map(({ kind }) => kind)
