import { expect, test } from 'vitest'
import { viewports, webBrowser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { expectStateToMatch, letCompare } from '../state-in-browser.ts'
import { threePeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

/** Ana has a topic of her channel open, which has a description. */
async function scene() {
  const { hash, ...people } = await threePeople(organization)
  await people.ana.patch(`/streams/${people.channel.id}`, { description: 'How it **looks**' })
  return { ...people, hash: `${hash}/topic/One` }
}

test('members are listed beside the view, those who are there first, and lead to their cards', async () => {
  const { org, ana, bo, cy, channel, hash } = await scene()
  await bo.post('/users/me/status', { status_text: 'In a meeting' })
  await cy.post('/users/me/presence', { status: 'active' })
  const { page } = await browser.open(org, ana, hash)
  await letCompare(page)
  const toggle = page.getByRole('button', { name: '2 members' })
  await toggle.click()
  const details = page.getByRole('complementary', { name: 'Details' })
  await details.getByText('How it looks').waitFor()
  await details.getByText('In a meeting').waitFor()
  await ana.post('/users/me/subscriptions', {
    subscriptions: [{ name: channel.name }],
    principals: [cy.id],
  })
  const names = () => details.locator('.person span[dir=auto]').allInnerTexts()
  await expect.poll(async () => (await names()).at(-1)).toBe('Bo Lind')
  await details.getByText('3 people').waitFor()
  expect(await names()).toContain('Cy Okafor')
  // The view beside it is used on: the message box is not covered.
  await page.getByRole('textbox', { name: /One/ }).click({ trial: true })
  await details.getByRole('button', { name: 'Bo Lind' }).click()
  await page.getByRole('dialog', { name: 'Bo Lind' }).getByText('bo.lind@example.com').waitFor()
  await page.keyboard.press('Escape')
  await page.reload()
  await details.getByText('3 people').waitFor()
  await details.getByRole('button', { name: 'Close the details' }).click()
  await details.waitFor({ state: 'detached' })
  await expectStateToMatch(page)
})

test.each([
  ['phone', viewports.phone],
  ['medium', { width: 1000, height: 800 }],
])('on a narrower screen the details lie over the view, and go with Escape (%s)', async (_, viewport) => {
  const { org, ana, hash } = await scene()
  const { page } = await browser.open(org, ana, hash, { viewport })
  const toggle = page.getByRole('button', { name: '2 members' })
  await toggle.click()
  const details = page.getByRole('complementary', { name: 'Details' })
  await details.getByText('How it looks').waitFor()
  const focused = () => page.evaluate<string>('document.activeElement.getAttribute("aria-label")')
  await expect.poll(focused).toBe('Close the details')
  await page.keyboard.press('Escape')
  await details.waitFor({ state: 'detached' })
  await expect.poll(focused).toBe('2 members')
})

test('a direct conversation lists those who take part', async () => {
  const { org, ana, bo, cy } = await scene()
  const { page } = await browser.open(org, ana, `#narrow/dm/${bo.id},${cy.id}-group`)
  await page.getByRole('button', { name: '3 members' }).click()
  const details = page.getByRole('complementary', { name: 'Details' })
  for (const name of ['Ana Ruiz', 'Bo Lind', 'Cy Okafor'])
    await details.getByRole('button', { name }).waitFor()
  await page.goto(page.url().replace(/#.*/, '#inbox'))
  await details.waitFor({ state: 'detached' })
})
