import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Organization } from '../../../../test/organization.ts'
import { refusal, worldOfMail } from '../../../../test/programs/mail-server.ts'
import type { MailRow } from '../../../db/schema.ts'
import { letter } from '../../kernel/mail/letter.ts'
import { type Mail, queueMail } from '../../kernel/mail/queue-mail.ts'
import { retryMail } from './retry-mail.ts'

const lines: string[] = []
const { all, server } = worldOfMail((line) => lines.push(line))
beforeEach(() => {
  server.onRecipient = () => {}
  server.onContent = () => {}
})

let addresses = 0

/** Puts a mail to a new address into the outbox. */
async function queue(org: Organization, mail: Partial<Mail> = {}) {
  const to = `reader${++addresses}@example.org`
  const body = letter(['Hello & welcome', { link: 'Look <here>', url: 'https://chat.test/?a=1&b="2"' }])
  const id = await org.log.commit((change) =>
    queueMail(change, { kind: 'test', to, subject: 'Grüße', ...body, ...mail }),
  )
  return { id, to }
}

async function stateOf(org: Organization, id: number): Promise<MailRow> {
  const { read } = all.node.app.realms.connections
  const [row] = await read.rows<MailRow>(sql`SELECT * FROM mail WHERE realm_id = ${org.id} AND id = ${id}`)
  return row!
}

async function becomes(org: Organization, id: number, state: Partial<MailRow>) {
  await all.workOff()
  return vi.waitFor(async () => expect(await stateOf(org, id)).toMatchObject(state), { timeout: 20_000 })
}

test('sends a mail once, as text and as HTML, and then deletes its text', async () => {
  const org = await all.organization()
  const { id, to } = await queue(org, { unsubscribeUrl: 'https://chat.test/u/1' })
  const mail = await server.awaitMail(to)
  expect(mail).toMatchObject({
    subject: 'Grüße',
    from: { name: org.state.row.name, address: 'noreply@chat.test' },
    to: [{ address: to }],
    envelope: { from: 'noreply@chat.test', to: [to] },
    text: expect.stringContaining('Hello & welcome\n\nLook <here>:\nhttps://chat.test/?a=1&b="2"\n'),
  })
  expect(mail.html).toContain('>Hello &amp; welcome</p>')
  expect(mail.html).toContain('<a href="https://chat.test/?a=1&amp;b=&quot;2&quot;"')
  expect(mail.html).not.toContain('<here>')
  const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]))
  expect(headers).toMatchObject({
    'list-unsubscribe': '<https://chat.test/u/1>',
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    'auto-submitted': 'auto-generated',
  })
  await becomes(org, id, { state: 'sent', tries: 1, text: null, html: null, unsubscribe_url: null })
})

test('does not send a mail that is not committed', async () => {
  const org = await all.organization()
  const to = 'nobody@example.org'
  await org.log
    .commit(async (change) => {
      await queueMail(change, { kind: 'test', to, subject: 'No', ...letter(['no']) })
      throw new Error('changed my mind')
    })
    .catch(() => {})
  const { to: later } = await queue(org)
  await server.awaitMail(later)
  expect(server.to(to)).toEqual([])
})

test('retries after a temporary refusal, but not after a permanent one', async () => {
  const org = await all.organization()
  server.onRecipient = () => {
    throw refusal(451, 'come back later')
  }
  const { id, to } = await queue(org)
  await becomes(org, id, { state: 'waiting', tries: 1 })
  expect((await stateOf(org, id)).error).toContain('come back later')
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ component: 'mail server', msg: expect.stringContaining('come back later') }),
  )
  server.onRecipient = () => {}
  all.pass(31)
  const mail = await server.awaitMail(to)
  await becomes(org, id, { state: 'sent', tries: 2, error: null })
  expect(mail.messageId).toMatch(/^<[0-9a-f-]{36}@chat\.test>$/)

  server.onRecipient = () => {
    throw refusal(550, 'nobody of that name')
  }
  const gone = await queue(org)
  await becomes(org, gone.id, { state: 'failed', tries: 1 })
  server.onRecipient = () => {}
  expect(await org.log.commit((change) => retryMail(change, gone.id))).toBe(true)
  await server.awaitMail(gone.to)
})

test('gives up a mail that has waited too long', async () => {
  const org = await all.organization()
  server.onContent = () => {
    throw refusal(452, 'no room')
  }
  const { id } = await queue(org)
  await becomes(org, id, { state: 'waiting', tries: 1 })
  all.pass(3 * 86_400 + 60)
  await becomes(org, id, { state: 'failed' })
  expect((await stateOf(org, id)).error).toContain('no room')
})

test('several nodes send one mail', async () => {
  const org = await all.organization()
  await Promise.all([all.anotherNode(), all.anotherNode()])
  const mails = await Promise.all(Array.from({ length: 30 }, () => queue(org)))
  for (const { to } of mails) await server.awaitMail(to)
  await all.workOff()
  for (const { to } of mails) expect(server.to(to)).toHaveLength(1)
})

test('retries after a connection that breaks before the server has the whole mail', async () => {
  const org = await all.organization()
  const { port } = server
  server.onRecipient = () => {
    server.onRecipient = () => {}
    server.breakConnections()
  }
  const { id, to } = await queue(org)
  await becomes(org, id, { state: 'waiting', tries: 1 })
  expect(server.port).toBe(port)
  all.pass(31)
  await server.awaitMail(to)
})

test('a connection that breaks before the response leaves the mail uncertain, without automatic retry', async () => {
  const org = await all.organization()
  server.onContent = () => {
    server.onContent = () => {}
    server.breakConnections()
  }
  const { id, to } = await queue(org)
  await becomes(org, id, { state: 'uncertain', tries: 1 })
  all.pass(3_600)
  await all.workOff()
  // In this case the server has received it.
  expect(server.to(to)).toHaveLength(1)
  expect(await org.log.commit((change) => retryMail(change, id))).toBe(true)
  await server.awaitMails(to, 2)
})
