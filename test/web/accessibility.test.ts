import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { webBrowser, webUser } from '../chromium.ts'
import { sender } from '../messages.ts'
import { secureHost, testServer } from '../test-server.ts'

const { organization } = testServer({ host: secureHost })
const browser = webBrowser()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string; nodes: { html: string }[] }

const content = `Look: **bold**, \`code\`, [a link](https://example.com), :smile:

> quoted

| a | b |
|---|---|
| 1 | 2 |

\`\`\`ts
const one = 1 // comment
\`\`\`

\`\`\`spoiler Hidden
text
\`\`\``

test.each(['light', 'dark'] as const)(
  'no screen has a serious fault of accessibility (%s)',
  async (colorScheme) => {
    const org = await organization()
    const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
    const channel = await org.channel({ name: 'design', creator: ana, subscribers: [ana, bo] })
    const id = await sender(bo, channel)('Dark theme', content)
    await bo.post(`/messages/${id}/reactions`, { emoji_name: 'smile' })
    await bo.post('/messages', { type: 'direct', to: [ana.id], content: `Hello @**${ana.name}**` })
    await ana.post('/user_groups/create', { name: 'owls', description: 'At night', members: [ana.id, bo.id] })
    const { page } = await browser.open(org, ana, '', { colorScheme })
    for (const hash of [
      '#inbox',
      '#recent',
      '#feed',
      '#channels',
      `#narrow/channel/${channel.id}/topic/Dark.20theme`,
    ]) {
      await page.goto(page.url().replace(/(#.*)?$/, hash))
      await page
        .getByText(/design/)
        .last()
        .waitFor()
      expect(await violations(), hash).toEqual([])
    }
    await page.getByRole('button', { name: 'Topic actions' }).click()
    await page.getByRole('menuitem', { name: 'Go to a date' }).click()
    await page.getByLabel('Day').waitFor()
    expect(await violations(), 'date').toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '2 members' }).click()
    await page.getByRole('complementary', { name: 'Details' }).getByText('2 people').waitFor()
    expect(await violations(), 'details').toEqual([])
    await page.goto(page.url().replace(/(#.*)?$/, '#groups'))
    await page.getByRole('link', { name: /owls/ }).waitFor()
    expect(await violations(), 'groups').toEqual([])
    await page.getByRole('link', { name: /owls/ }).click()
    await page.getByText('Direct member').first().waitFor()
    expect(await violations(), 'group').toEqual([])
    await page.goto(page.url().replace(/(#.*)?$/, '#feed'))
    await page.locator('article.row', { hasText: 'Look:' }).click({ modifiers: ['Control'] })
    await page.getByRole('toolbar', { name: 'Selected messages' }).getByText('1 selected').waitFor()
    expect(await violations(), 'selected messages').toEqual([])
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByText(/^1 message by/).waitFor()
    expect(await violations(), 'move').toEqual([])
    await page.keyboard.press('Escape')
    await page.goto(page.url().replace(/(#.*)?$/, '#channels'))
    await page.getByRole('button', { name: 'Settings of #design' }).click()
    for (const tab of ['Personal', 'General', 'Permissions', 'Subscribers']) {
      await page.getByRole('tab', { name: tab }).click()
      expect(await violations(), tab).toEqual([])
    }
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'New channel' }).click()
    await page.getByRole('dialog', { name: 'New channel' }).waitFor()
    expect(await violations(), 'new channel').toEqual([])

    async function violations() {
      // The content security policy of the page does not bind what the browser's own tools run.
      await page.evaluate(axe)
      const found = await page.evaluate<Violation[]>('axe.run().then((result) => result.violations)')
      return found
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
    }
  },
)
