import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type AuditEntry, entriesOf, kindsOf } from '../../../../test/audit-entries.ts'
import type { Organization } from '../../../../test/organization.ts'
import { Caller, Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'
import { pruneAuditLogs } from '../../../log/prune.ts'
import { auditLimits } from './limits.ts'

const all = testServer()
const { organization } = all

test('only owners read it, and only that of their organization', async () => {
  const [org, other] = [await organization(), await organization()]
  const callers = [
    await org.person({ role: 'administrator' }),
    await org.person(),
    await org.person({ role: 'guest' }),
    new Caller(org.place),
  ]
  for (const caller of callers) {
    const answers = [
      await caller.get('/rookery/audit_log'),
      await caller.patch('/rookery/audit_log', { retention_days: 99 }),
    ]
    for (const { status, body } of answers) {
      expect(body.code).toMatch(/^UNAUTHORIZED/)
      expect([400, 401]).toContain(status)
      expect(body.entries).toBeUndefined()
    }
  }
  await org.owner.patch('/realm', { name: 'Ours' })
  expect(kindsOf(await entriesOf(other.owner))).not.toContain('organization.update')
})

test('pages follow each other without gaps, and filters choose', async () => {
  const org = await organization()
  const [ben, boss] = [await org.person(), await org.person({ role: 'administrator' })]
  const start = (await entriesOf(org.owner))[0]!.id
  for (const name of ['B1', 'B2', 'B3']) await org.owner.patch(`/users/${ben.id}`, { full_name: name })
  all.pass(100)
  await boss.patch(`/users/${ben.id}`, { full_name: 'B4' })
  await org.owner.patch('/realm', { name: 'Named' })
  const whole = (await entriesOf(org.owner)).filter(({ id }) => id > start)
  expect(whole).toHaveLength(5)

  const paged: AuditEntry[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { body } = await org.owner.get('/rookery/audit_log', { limit: 2, ...(cursor && { cursor }) })
    expect(body.entries.length).toBeLessThanOrEqual(2)
    paged.push(...body.entries)
    cursor = body.next_cursor
  }
  expect(paged).toEqual(await entriesOf(org.owner, { limit: 1000 }))

  const { at } = whole[0]! as unknown as { at: number }
  const among = async (filter: Record<string, string | number>) =>
    (await entriesOf(org.owner, filter)).filter(({ id }) => id > start).length
  expect(await among({ actor_id: boss.id })).toBe(1)
  expect(await among({ object: 'user', object_id: ben.id })).toBe(4)
  expect(await among({ kind: 'user.update' })).toBe(4)
  expect(await among({ kind: 'user', limit: 3 })).toBe(3)
  expect(await among({ kind: 'organization' })).toBe(1)
  expect(await among({ since: at - 50 })).toBe(2)
  expect(await among({ until: at - 50, object: 'user' })).toBe(3)
})

test.each([
  [{ kind: 'users.update' }, 'Invalid kind'],
  [{ object: 'thing' }, 'Invalid object'],
  [{ cursor: '1' }, 'Invalid cursor'],
  [{ limit: 0 }, 'limit'],
  [{ limit: auditLimits.auditEntriesPerPage + 1 }, 'limit'],
  [{ since: 'yesterday' }, 'since'],
])('%j is refused', async (filter, reason) => {
  const org = await organization()
  const { status, body } = await org.owner.get('/rookery/audit_log', filter)
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_REQUEST' })
  expect(body.msg).toContain(reason)
})

test('addresses that users hide from all are hidden there as well', async () => {
  const org = await organization()
  const ben = await org.person({ email: 'ben@example.com' })
  await org.log.commit((change) =>
    change.update('account', { id: org.owner.id, can_change_user_emails: true }),
  )
  await org.owner.patch(`/users/${ben.id}`, { new_email: 'ben2@example.com' })
  const [shown] = await entriesOf(org.owner, { object: 'user', object_id: ben.id })
  expect(shown).toMatchObject({ after: { delivery_email: 'ben2@example.com' } })
  const now = new Person(org.place, { ...ben, email: 'ben2@example.com' })
  expect((await now.patch('/settings', { email_address_visibility: 4 })).status).toBe(200)
  const entries = await entriesOf(org.owner, { object: 'user', object_id: ben.id })
  expect(JSON.stringify(entries)).not.toContain('@example.com')
})

test('the address of an invitation is hidden if a user hides it', async () => {
  const org = await organization()
  const terms = { invitee_emails: 'eve@example.com', invite_as: 400, stream_ids: '[]' }
  expect((await org.owner.post('/invites', terms)).status).toBe(200)
  const about = async () => JSON.stringify(await entriesOf(org.owner, { object: 'invitation' }))
  expect(await about()).toContain('eve@example.com')
  const eve = await org.person({ email: 'eve@example.com' })
  expect((await eve.patch('/settings', { email_address_visibility: 4 })).status).toBe(200)
  expect(await about()).toContain(`user${eve.id}@`)
  expect(await about()).not.toContain('eve@example.com')
})

test('the database refuses to change or remove entries', async () => {
  const org = await organization()
  const { pool } = all.node.app.realms.connections
  const statements = [
    `UPDATE audit_entry SET actor_id = 1 WHERE realm_id = ${org.id}`,
    `DELETE FROM audit_entry WHERE realm_id = ${org.id}`,
    'TRUNCATE audit_entry',
  ]
  for (const statement of statements) {
    await expect(pool.query(statement)).rejects.toThrow(
      'entries of the audit log cannot be changed or removed',
    )
  }
})

test('entries are kept for as long as the organization says, and without saying so for ever', async () => {
  const [org, other] = [await organization(), await organization()]
  const { db } = all.node.app.realms.connections
  const kept = async ({ owner }: Organization) => (await entriesOf(owner, { limit: 1000 })).length
  const set = (retention_days: unknown) => org.owner.patch('/rookery/audit_log', { retention_days })
  expect((await org.owner.get('/rookery/audit_log')).body.retention_days).toBeNull()
  expect((await set(29)).body.msg).toBe('retention_days must be from 30 to 36500, or null')
  expect((await set('"x"')).status).toBe(400)
  const client = await org.owner.register()
  expect((await set(30)).status).toBe(200)
  await client.expectStateToMatch()
  expect((await org.owner.get('/rookery/audit_log')).body.retention_days).toBe(30)
  expect((await entriesOf(org.owner))[0]).toMatchObject({
    kind: 'organization.update',
    after: { settings: { audit_log_retention_days: 30 } },
  })
  const [ours, theirs] = [await kept(org), await kept(other)]
  await pruneAuditLogs(db, all.node.site.clock() + 29 * 86_400)
  expect([await kept(org), await kept(other)]).toEqual([ours, theirs])
  await pruneAuditLogs(db, all.node.site.clock() + 31 * 86_400)
  expect([await kept(org), await kept(other)]).toEqual([0, theirs])
  await set(null)
  expect((await org.owner.get('/rookery/audit_log')).body.retention_days).toBeNull()
})

test('an entry is written with its change or not at all', async () => {
  const org = await organization()
  const before = await entriesOf(org.owner)
  const failing = org.log.commit(async (change) => {
    await change.update('realm', { id: org.id, name: 'Nothing' })
    await change.run(sql`SELECT 1 / 0`)
  })
  await expect(failing).rejects.toThrow('division by zero')
  expect(await entriesOf(org.owner)).toEqual(before)
})

test('what the server does by itself is there as well', async () => {
  const org = await organization()
  await org.log.commit((change) => change.update('realm', { id: org.id, name: 'By itself' }))
  expect((await entriesOf(org.owner))[0]).toMatchObject({
    means: 'server',
    actor_id: null,
    after: { name: 'By itself' },
  })
  expect((await entriesOf(org.owner)).at(-1)).toMatchObject({ kind: 'organization.create' })
})
