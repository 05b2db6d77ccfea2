import pg from 'pg'
import { expect, test } from 'vitest'
import { webBrowser, webUser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { secureHost, testServer } from '../../test-server.ts'

const server = testServer({ host: secureHost })
const browser = webBrowser()
const count = 1_000

/** Adds an unread message in each of many topics. The server does not hear of it: a node that starts afterwards knows them. */
async function addTopics(realmId: number, like: number) {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  const same =
    'realm_id, recipient_id, sender_id, content, rendered_content, rendered_version, client, sent_at'
  await client.query(
    `INSERT INTO message (${same}, topic, id) SELECT ${same}, 'Alert ' || n, n
     FROM generate_series($2::bigint + 1, $3::bigint) AS n JOIN message ON realm_id = $1 AND id = $2`,
    [realmId, like, like + count],
  )
  await client.query('UPDATE realm_head SET last_message_id = $2 WHERE realm_id = $1', [
    realmId,
    like + count,
  ])
  await client.end()
}

test('of a thousand topics, the inbox and the list of a channel show the first, and more on request', async () => {
  const org = await server.organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  const channel = await org.channel({ name: 'alerts', subscribers: [ana, bo] })
  await addTopics(org.id, await sender(bo, channel)('Alert 0', 'It burns'))
  const { port } = await server.anotherNode()
  const there = { ...org, place: { ...org.place, port } }
  for (const hash of ['#inbox', `#topics/channel/${channel.id}`]) {
    const { page } = await browser.open(there, ana, hash)
    const rows = page.locator('.inbox-group').last().locator('.inbox-row')
    const all = count + 1
    const expectFocusIn = async (row: number) => {
      const name = (await rows.nth(row).locator('.inbox-name').textContent()) ?? ''
      await expect.poll(() => page.locator('a:focus .inbox-name').textContent()).toBe(name)
    }
    await page.getByRole('button', { name: `${all - 200} more …` }).click()
    await page.getByRole('button', { name: `${all - 400} more …` }).waitFor()
    expect(await rows.count()).toBe(400)
    await expectFocusIn(200)
    await page.keyboard.press('j')
    await expectFocusIn(201)
    for (const left of [all - 400, all - 800])
      await page.getByRole('button', { name: `${left} more …` }).click()
    expect(await rows.count()).toBe(all)
    await page.getByLabel('Filter', { exact: true }).fill('alert 77')
    await expect.poll(() => rows.count()).toBeLessThan(200)
    expect(await page.getByRole('button', { name: /more …$/ }).count()).toBe(0)
    await page.context().close()
  }
})
