import type { BrowserContext } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, type WebUser, webBrowser } from '../chromium.ts'
import { sender } from '../messages.ts'
import type { Organization } from '../organization.ts'
import { secureHost, sharedServer } from '../test-server.ts'
import { openEditBox } from './edit-box.ts'
import { twoPeople } from './two-people.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

/** Another user signs in in another tab. */
async function signInAs(context: BrowserContext, org: Organization, user: WebUser) {
  const common = { domain: org.place.host, path: '/', sameSite: 'Lax' as const }
  await context.clearCookies()
  await context.addCookies([
    { ...(await org.session(user)), httpOnly: true, ...common },
    { name: 'rookery-user', value: String(user.id), ...common },
  ])
}

test('a text that is typed for a message does not become one of another user who signs in', async () => {
  const { org, ana, bo, channel, topic } = await twoPeople(organization)
  const id = await sender(ana, channel)('Icons', 'They are round')
  const { page, context } = await browser.open(org, ana, topic('Icons'))
  const area = await openEditBox(page, id)
  await area.fill('They are ugly')
  await signInAs(context, org, bo)
  const begun = page.waitForEvent('load')
  await area.press('End')
  await area.pressSequentially(', as ever')
  await begun
  await page.locator('article .content', { hasText: 'They are round' }).waitFor()
  expect(await page.locator('.edit-box').count()).toBe(0)
  const hers = await openPage(context, page.url())
  expect(await hers.page.locator('.edit-box').count()).toBe(0)
})
