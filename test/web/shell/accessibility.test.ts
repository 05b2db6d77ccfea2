import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ownerOf, viewports, webBrowser, webUser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { violations } from '../axe.ts'
import { twoPeople, usualViews } from '../two-people.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

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

// On a busy machine, axe takes seconds for a screen, and the service worker, which takes shares, comes ten seconds after the page.
const unhurried = { timeout: 180_000 }

test.each(['light', 'dark'] as const)(
  'no screen has a serious fault of accessibility (%s)',
  unhurried,
  async (colorScheme) => {
    const org = await organization()
    const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
    const channel = await org.channel({ name: 'design', creator: ana, subscribers: [ana, bo] })
    const id = await sender(bo, channel)('Dark theme', content)
    await bo.post(`/messages/${id}/reactions`, { emoji_name: 'smile' })
    await bo.post('/messages', { type: 'direct', to: [ana.id], content: `Hello @**${ana.name}**` })
    await ana.post('/user_groups/create', { name: 'owls', description: 'At night', members: [ana.id, bo.id] })
    const { page } = await browser.open(org, ana, '', { colorScheme })
    for (const [hash, title] of usualViews(channel)) {
      await page.goto(page.url().replace(/(#.*)?$/, hash))
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await page
        .getByRole('main')
        .getByText(/design/)
        .last()
        .waitFor()
      expect(await violations(page), hash).toEqual([])
    }
    await page.getByRole('button', { name: 'Topic actions' }).click()
    await page.getByRole('menuitem', { name: 'Go to a date' }).click()
    await page.getByLabel('Day').waitFor()
    expect(await violations(page), 'date').toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '2 members' }).click()
    await page.getByRole('complementary', { name: 'Details' }).getByText('2 people').waitFor()
    expect(await violations(page), 'details').toEqual([])
    await page.goto(page.url().replace(/(#.*)?$/, '#groups'))
    await page.getByRole('link', { name: /owls/ }).waitFor()
    expect(await violations(page), 'groups').toEqual([])
    await page.getByRole('link', { name: /owls/ }).click()
    await page.getByText('Direct member').first().waitFor()
    expect(await violations(page), 'group').toEqual([])
    await page.goto(page.url().replace(/(#.*)?$/, '#feed'))
    await page.locator('article.row', { hasText: 'Look:' }).click({ modifiers: ['Control'] })
    await page.getByRole('toolbar', { name: 'Selected messages' }).getByText('1 selected').waitFor()
    expect(await violations(page), 'selected messages').toEqual([])
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByText(/^1 message by/).waitFor()
    expect(await violations(page), 'move').toEqual([])
    await page.keyboard.press('Escape')
    await page.goto(page.url().replace(/(#.*)?$/, '#channels'))
    await page.getByRole('button', { name: 'Settings of #design' }).click()
    for (const tab of ['Personal', 'General', 'Permissions', 'Subscribers']) {
      await page.getByRole('tab', { name: tab }).click()
      expect(await violations(page), tab).toEqual([])
    }
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'New channel' }).click()
    await page.getByRole('dialog', { name: 'New channel' }).waitFor()
    expect(await violations(page), 'new channel').toEqual([])
  },
)

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

/** Screens and dialogs: the name of each, the view it is opened from, and how. Escape closes it. */
const overlays: [name: string, hash: string, open: (page: Page) => Promise<unknown>][] = [
  [
    'reports',
    '#organization/reports',
    async (page) => {
      await page.locator('.report-rows').getByText('Reports about Bo Lind').waitFor()
      const isCut = `[...document.querySelectorAll('.report-rows .inbox-name')].some(
        (one) => one.scrollWidth > one.clientWidth,
      )`
      expect(await page.evaluate(isCut), 'a name is cut').toBe(false)
    },
  ],
  [
    'help',
    '#inbox',
    async (page) => {
      await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
      const opener = page.getByRole('button', { name: 'Open the list of views and channels' })
      if (await opener.isVisible()) await opener.click()
      await page.getByRole('button', { name: 'Account' }).click()
      await page.getByRole('menuitem', { name: 'Help with writing and searching' }).click()
      await dialog(page, /Help with/).waitFor()
    },
  ],
  [
    'shortcuts',
    '#inbox',
    async (page) => {
      await page.keyboard.press('?')
      await dialog(page, 'Keyboard shortcuts').waitFor()
    },
  ],
  [
    'deactivation of a user',
    '#feed',
    async (page) => {
      await page.getByRole('button', { name: 'Bo Lind' }).first().click()
      await dialog(page, 'Bo Lind').getByRole('button', { name: 'Deactivate' }).click()
      await dialog(page, 'Deactivate Bo Lind').getByLabel('Tell them by email').check()
    },
  ],
  [
    'read receipts',
    '#feed',
    async (page) => {
      await page.getByRole('article', { name: 'Bo Lind: Something rude' }).click()
      await page.keyboard.press('Shift+V')
      await dialog(page, 'Read receipts').getByText('Cy Moss').waitFor()
    },
  ],
  [
    'end of the organization',
    '#organization/closing',
    async (page) => {
      await page.getByRole('button', { name: 'Close the organization' }).click()
      await dialog(page, 'Close the organization').waitFor()
    },
  ],
  [
    'share',
    '#inbox',
    async (page) => {
      await page.evaluate(`navigator.serviceWorker.ready.then(() => {
        const form = document.createElement('form')
        Object.assign(form, { method: 'POST', action: '/share', enctype: 'multipart/form-data' })
        const text = Object.assign(document.createElement('input'), { name: 'text', value: 'Look at this' })
        form.append(text)
        document.body.append(form)
        form.submit()
      })`)
      await dialog(page, 'Share').getByText('Look at this').waitFor()
    },
  ],
]

const looks = [
  ['light', 'wide'],
  ['dark', 'phone'],
] as const

test.each(looks)(
  'no overlay has a serious fault of accessibility (%s, %s)',
  unhurried,
  async (colorScheme, size) => {
    const org = await organization()
    const [ana, bo, cy] = [
      await webUser(org, 'Ana Ruiz'),
      await webUser(org, 'Bo Lind'),
      await webUser(org, 'Cy Moss'),
    ]
    await org.owner.patch(`/users/${ana.id}`, { role: 100 })
    const channel = await org.channel({ name: 'design', creator: ana, subscribers: [ana, bo, cy] })
    const reports = await org.channel({
      name: 'moderation',
      creator: ana,
      subscribers: [ana],
      isPrivate: true,
    })
    await bo.post('/bots', { full_name: 'Bo Bot', short_name: 'bo' })
    await org.owner.patch('/realm', { moderation_request_channel_id: reports.id })
    const id = await sender(bo, channel)('Owls', 'Something rude')
    await cy.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
    await cy.post(`/messages/${id}/report`, { report_type: 'spam', description: '' })
    const { page } = await browser.open(org, ana, '#inbox', {
      colorScheme,
      viewport: viewports[size],
      serviceWorkers: 'allow',
    })
    for (const [name, hash, open] of overlays) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
      await open(page)
      await expectNoFault(page, name)
      await page.keyboard.press('Escape')
    }
  },
)

test.each(looks)(
  'the first steps have no serious fault of accessibility (%s, %s)',
  async (colorScheme, size) => {
    const org = await organization()
    const owner = await ownerOf(org)
    const { page } = await browser.open(org, owner, '', { colorScheme, viewport: viewports[size] })
    await page.getByRole('button', { name: 'Create a link' }).waitFor()
    await expectNoFault(page, 'first steps')
  },
)

test('the label of a message has its time as the user has chosen it', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  await ana.patch('/settings', { twenty_four_hour_time: true })
  await say('Icons', 'Too round?')
  const { page } = await browser.open(org, ana, topic('Icons'), { locale: 'en-US' })
  await page.getByRole('article', { name: /Too round\?, \d\d:\d\d$/ }).waitFor()
})

async function expectNoFault(page: Page, name: string) {
  expect(await violations(page), name).toEqual([])
  const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
  expect(await page.evaluate(isTooWide), `${name} is too wide`).toBe(false)
}

/** Returns the serious violations on the page as it is now. */

test.each(['light', 'dark'] as const)(
  'the button below the pointer can be read (%s)',
  unhurried,
  async (colorScheme) => {
    const { org, ana } = await twoPeople(organization)
    const { page } = await browser.open(org, ana, '#channels/new', { colorScheme })
    const dialog = page.getByRole('dialog', { name: 'New channel' })
    for (const name of ['Create', 'Cancel']) {
      await dialog.getByRole('button', { name, exact: true }).hover()
      expect(await violations(page), name).toEqual([])
    }
  },
)
