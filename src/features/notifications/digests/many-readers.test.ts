import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { day, worldOfDigests } from '../../../../test/digests.ts'
import type { Organization } from '../../../../test/organization.ts'
import { refusal, worldOfMail } from '../../../../test/programs/mail-server.ts'
import type { Node } from '../../../../test/test-server.ts'
import { digestLimits } from './limits.ts'
import { digests } from './send-digests.ts'

const { all, server } = worldOfMail()
const { cast, talk, turnOn, now } = worldOfDigests(all, server)

/** An organization with that many readers, whose digests are due. Returns their addresses, too. */
async function crowdAtDawn(count: number) {
  const { org, anna, harbour } = await cast()
  const ids = await org.crowd(count, harbour)
  all.pass(6 * day)
  for (const present of [anna, org.owner]) await present.post('/users/me/presence', { status: 'active' })
  await talk(anna, harbour, 'boats', 4)
  all.pass((await turnOn(org)) - now())
  return { org, readers: ids.map((id) => org.state.users.require(id).delivery_email) }
}

/** Runs the job of an organization's digests at a node. */
async function runAt({ app, site }: Node, org: Organization) {
  const job = { realm_id: org.id, kind: 'digests', subject_id: 0, due_at: now(), revision: 0, attempts: 1 }
  const log = await app.realms.byId(org.id)
  const stopping = new AbortController().signal
  const { read } = log.database
  await digests.run({ log, read, site, adapters: all.adapters, stopping, report: () => {} }, job)
}

/** How many digests each of these readers was written, if not one. */
async function notOnce(org: Organization, readers: string[]) {
  const rows = await all.node.app.realms.connections.read.rows<{ recipient: string; mails: number }>(sql`
    SELECT recipient, count(*) AS mails FROM mail WHERE realm_id = ${org.id} AND kind = 'digest' GROUP BY recipient`)
  const mails = new Map(rows.map((row) => [row.recipient, row.mails]))
  return readers.filter((reader) => mails.get(reader) !== 1)
}

test('several nodes write one digest for each of many readers', async () => {
  const nodes = [all.node, await all.anotherNode(), await all.anotherNode()]
  const { org, readers } = await crowdAtDawn(3 * digestLimits.digestReaders + 7)
  await Promise.all(nodes.map(({ app }) => app.workOff()))
  await all.workOff()
  expect(await notOnce(org, readers)).toEqual([])
  await all.workOff()
  // Tests of this file share the addresses of their crowds.
  for (const reader of readers) expect(server.to(reader)).toHaveLength(1)
})

test('nodes that do the same work at the same time write one digest for each reader', async () => {
  const { org, readers } = await crowdAtDawn(30)
  const nodes = [all.node, await all.anotherNode(), await all.anotherNode()]
  await Promise.all([...nodes, ...nodes].map((node) => runAt(node, org)))
  expect(await notOnce(org, readers)).toEqual([])
})

test('digests wait while many mails do, and go out when these have', { timeout: 180_000 }, async () => {
  server.onRecipient = () => {
    throw refusal(450, 'Try again later.')
  }
  const count = digestLimits.digestMailsWaiting + 4 * digestLimits.digestReaders
  const { org, readers } = await crowdAtDawn(count)
  await all.workOff()
  const missing = await notOnce(org, readers)
  expect(missing.length).toBeGreaterThan(2 * digestLimits.digestReaders)
  expect(missing.length).toBeLessThan(5 * digestLimits.digestReaders)
  server.onRecipient = () => {}
  for (let minutes = 0; minutes < 10; minutes++) {
    all.pass(60)
    await all.workOff()
  }
  expect(await notOnce(org, readers)).toEqual([])
})
