import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, type WebUser, webBrowser } from '../../browser/chromium.ts'
import { contentsOf, sender } from '../../messages.ts'
import type { Organization } from '../../organization.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { openEditBox } from '../edit-box.ts'
import { holdRequests } from '../held-requests.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

const newPassword = 'another long password'

/** Ends the sessions of a user by a new password. The page has no stream, and learns of it by its next request. */
async function endSessions(user: WebUser) {
  const changed = { old_password: user.password, new_password: newPassword }
  expect((await user.patch('/settings', changed)).body.result).toBe('success')
}

async function signIn(page: Page, user: WebUser) {
  await page.getByLabel('Email address').fill(user.email)
  await page.getByLabel('Password').fill(newPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** The user signs in again in another tab. */
async function signInElsewhere(context: BrowserContext, url: string, user: WebUser) {
  const other = await context.newPage()
  await other.goto(`${url}login`)
  await signIn(other, user)
  await other.locator('main[aria-busy=false]').waitFor()
}

/** Another user signs in in another tab. */
async function signInAs(context: BrowserContext, org: Organization, user: WebUser) {
  const common = { domain: org.place.host, path: '/', sameSite: 'Lax' as const }
  await context.clearCookies()
  await context.addCookies([
    { ...(await org.session(user)), httpOnly: true, ...common },
    { name: 'rookery-user', value: String(user.id), ...common },
  ])
}

/** The browser's window is looked at again. */
const lookAt = (page: Page) => page.evaluate(`dispatchEvent(new Event('focus'))`)

async function openWithoutStream(made: Awaited<ReturnType<typeof twoPeople>>, hash: string) {
  const opened = await browser.open(made.org, made.ana, hash)
  await opened.page.route('**/json/events?*', (route) => route.abort())
  await opened.page.reload()
  await opened.page.locator('main[aria-busy=false]').waitFor()
  return { ...made, ...opened }
}

/** Ana has begun a new channel, and her session has ended. */
async function newChannel() {
  const made = await openWithoutStream(await twoPeople(organization), '#channels')
  const { page, ana } = made
  await page.getByRole('button', { name: 'New channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'New channel' })
  await dialog.getByLabel('Name').fill('colors')
  await dialog.getByLabel('Description').fill('All about light and shade')
  await endSessions(ana)
  await dialog.getByRole('button', { name: 'Create' }).click()
  const cover = page.getByRole('dialog', { name: 'Your session has ended' })
  await cover.waitFor()
  return { ...made, dialog, cover }
}

test('a dialog stays as it is while its user signs in again in another tab', async () => {
  const { page, context, ana, cover, dialog } = await newChannel()
  for (let i = 0; i < 6; i++) {
    await page.keyboard.press('Escape')
    await page.waitForTimeout(50)
  }
  await lookAt(page)
  await cover.waitFor()
  const [signing] = await Promise.all([
    context.waitForEvent('page'),
    cover.getByRole('link', { name: 'Sign in' }).click(),
  ])
  await signIn(signing, ana)
  await signing.locator('main[aria-busy=false]').waitFor()
  await lookAt(page)
  await cover.waitFor({ state: 'detached' })
  expect(await dialog.getByLabel('Description').inputValue()).toBe('All about light and shade')
  await page.unrouteAll()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { level: 1, name: /colors/ }).waitFor()
})

test('a cover hides the page whose session has ended, and leads to the sign-in page if that is wanted', async () => {
  const { page, cover } = await newChannel()
  const [box, size] = [await cover.boundingBox(), page.viewportSize()]
  expect(box).toEqual({ x: 0, y: 0, ...size })
  expect(
    await cover.evaluate((one) => one.ownerDocument.defaultView!.getComputedStyle(one).backgroundColor),
  ).not.toMatch(/\/ 0|rgba\(0, 0, 0, 0\)|transparent/)
  await cover.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('Your session has ended. Sign in').waitFor()
})

test('a page that waits for its user begins anew for another one', async () => {
  const { page, context, org, bo } = await newChannel()
  await signInAs(context, org, bo)
  await lookAt(page)
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1, name: 'Channels' }).waitFor()
  expect(await page.getByText('Your session has ended').count()).toBe(0)
  expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain('shade')
})

test('a text of the settings stays while its user signs in again', async () => {
  const made = await openWithoutStream(await twoPeople(organization), '#settings/alert-words')
  const { page, context, ana, url } = made
  await page.getByLabel('New word').fill('icons')
  await endSessions(ana)
  await page.getByRole('button', { name: 'Add' }).click()
  const cover = page.getByRole('dialog', { name: 'Your session has ended' })
  await cover.waitFor()
  await page.unrouteAll()
  await signInElsewhere(context, url, ana)
  await lookAt(page)
  await cover.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('button', { name: /^Remove/ }).waitFor()
})

test('a message that is sent when the session has ended goes out once after the sign-in', async () => {
  const made = await twoPeople(organization)
  const { page, ana, channel } = await openWithoutStream(made, made.topic('Icons'))
  const box = page.locator('.composer textarea')
  await box.fill('A moment too late')
  await endSessions(ana)
  await box.press('Control+Enter')
  await page.getByText('Your session has ended.').waitFor()
  await page.unrouteAll()
  await signIn(page, ana)
  await page.locator('article.row:not(.outgoing)', { hasText: 'too late' }).waitFor()
  expect(await contentsOf(ana, channel)).toEqual([['Icons', 'A moment too late']])
})

test('a file that is on its way arrives although the session ends, also from a conversation that is not shown', async () => {
  const made = await twoPeople(organization)
  const { page, context, ana, url } = await openWithoutStream(made, made.topic('Icons'))
  const sending = await holdRequests(page, '**/json/user_uploads')
  await page.locator('.composer input[type=file]').setInputFiles({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Round, and not too bright'),
  })
  await expect.poll(sending.count).toBe(1)
  await endSessions(ana)
  await page.goto(`${url}${made.topic('Logos')}`)
  const cover = page.getByRole('dialog', { name: 'Your session has ended' })
  await cover.waitFor()
  await signInElsewhere(context, url, ana)
  await lookAt(page)
  await cover.waitFor({ state: 'detached' })
  sending.pass()
  await page.goto(`${url}${made.topic('Icons')}`)
  const text = page.locator('.composer textarea')
  await expect.poll(() => text.inputValue()).toMatch(/^\[notes\.txt\]\(\/user_uploads\/\S+\)\s*$/)
})

test('a text that is typed for a message does not become one of another user who signs in', async () => {
  const { org, ana, bo, channel, topic } = await twoPeople(organization)
  const id = await sender(ana, channel)('Icons', 'They are round')
  const { page, context } = await browser.open(org, ana, topic('Icons'))
  const area = await openEditBox(page, id)
  await area.fill('They are ugly')
  await signInAs(context, org, bo)
  const begun = page.waitForEvent('load')
  const type = async () => {
    await area.press('End')
    await area.pressSequentially(', as ever')
  }
  // The page may begin anew before all is typed, and has no box then.
  await Promise.race([begun, type().catch(() => undefined)])
  await begun
  await page.locator('article .content', { hasText: 'They are round' }).waitFor()
  expect(await page.locator('.edit-box').count()).toBe(0)
  const hers = await openPage(context, page.url())
  expect(await hers.page.locator('.edit-box').count()).toBe(0)
})

test('a user who signs out is led to the sign-in page from every tab, and not back to a view', async () => {
  const { org, ana } = await twoPeople(organization)
  const { page, context, url } = await browser.open(org, ana, '#recent')
  const { page: other } = await openPage(context, `${url}#inbox`)
  // The events tell of the end of the session before the answer comes.
  const leaving = await holdRequests(page, '**/logout')
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  // A click would wait until the page has been left.
  await page.getByRole('menuitem', { name: 'Sign out' }).click({ noWaitAfter: true })
  await expect.poll(leaving.count).toBe(1)
  const told = page.waitForResponse((response) => response.status() === 401)
  await endSessions(ana)
  await other.waitForURL(`${url}login?next=%2F%23inbox`)
  await told
  leaving.pass()
  await page.waitForURL(`${url}login`)
})

test('a session that is ended elsewhere leads its page to the sign-in page immediately', async () => {
  const { org, ana } = await twoPeople(organization)
  const { page, url } = await browser.open(org, ana, '#recent')
  await endSessions(ana)
  await page.waitForURL(`${url}login?next=%2F%23recent`)
})

test.each(['before', 'after'])(
  'a session that ends %s the account could not be deactivated covers the page',
  async (moment) => {
    const { org, ana } = await twoPeople(organization)
    const { page } = await browser.open(org, ana, '#settings/account')
    await page.getByRole('button', { name: 'Deactivate my account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Type/).fill(ana.email)
    const leaving = await holdRequests(page, '**/json/users/me')
    await dialog.getByRole('button', { name: 'Deactivate my account' }).click()
    await expect.poll(leaving.count).toBe(1)
    const end = async () => {
      const told = page.waitForResponse((response) => response.status() === 401)
      await endSessions(ana)
      await told
    }
    if (moment === 'before') await end()
    leaving.refuse()
    await dialog.getByText('Enough for a day').waitFor()
    if (moment === 'after') await end()
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
  },
)
