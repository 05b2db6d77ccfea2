import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, ownerOf, webBrowser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'

const { organization } = sharedServer()
const browser = webBrowser()

/** Presses Tab until an element of this name has the focus. */
async function tabTo(page: Page, name: string) {
  const named = `(() => {
    const one = document.activeElement
    return one.labels?.[0]?.firstChild.textContent.trim() || one.ariaLabel || one.textContent.trim()
  })()`
  for (let i = 0; i < 80; i++) {
    if ((await page.evaluate<string>(named)) === name) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${name}`)
}

test('the owner of a new organization is led through its first steps, by keyboard alone', async () => {
  const org = await organization()
  const owner = await ownerOf(org)
  const { page, context, url, problems } = await browser.open(org, owner)
  await page.getByRole('heading', { level: 2, name: 'First steps' }).waitFor()
  const retype = async (label: string, text: string) => {
    await tabTo(page, label)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }
  await retype('Name of the organization', 'Analytical Engines')
  await retype('Name', 'Ada Lovelace')
  await retype('New address', 'ada@example.com')
  await page.getByText('We have sent a link to ada@example.com.').waitFor()
  await retype('Name of a new channel', 'engines')
  await page.getByText('#engines', { exact: true }).waitFor()
  // It begins again where it was left, in another tab as well.
  const again = await openPage(context, url)
  await again.page.getByRole('heading', { level: 2, name: 'First steps' }).waitFor()
  await expect.poll(() => again.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada Lovelace')
  await tabTo(page, 'Create a link')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByLabel('Link', { exact: true }).inputValue()).toContain('/join/')
  // This server sends no mails, and so says that they wait.
  await expect.poll(() => page.getByText('no mail server yet').count()).toBe(2)
  await tabTo(page, 'Done')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  expect(org.state.row.name).toBe('Analytical Engines')
  expect(org.state.users.require(owner.id).full_name).toBe('Ada Lovelace')
  expect([...org.state.channels.values()].map(({ name }) => name)).toContain('engines')
  // Done for good.
  await page.goto(`${url}?again`)
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  expect(problems).toEqual([])
})

test('other users, and the owner of an organization with people, begin in their home view', async () => {
  const org = await organization()
  const owner = await ownerOf(org)
  await org.person({ name: 'Bo Lind' })
  await owner.patch('/settings', { web_home_view: 'recent_topics' })
  const { page, problems } = await browser.open(org, owner)
  await page.getByRole('heading', { level: 1, name: 'Recent conversations' }).waitFor()
  expect(problems).toEqual([])
})
