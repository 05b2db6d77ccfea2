import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test('lists of topics say why they are empty, and show no frame around nothing', async () => {
  const { org, ana, channel, say } = await twoPeople(organization)
  const other = await org.channel({ name: 'garden', subscribers: [ana] })
  await say('Icons', 'Hello')
  const { page, url } = await browser.open(org, ana, `#topics/channel/${channel.id}`)
  await page.locator('.topic-row').waitFor()
  await page.getByRole('searchbox', { name: 'Filter' }).fill('owls')
  await page.getByText('No matches.').waitFor()
  expect(await page.locator('.inbox-group ul').isVisible()).toBe(false)
  await page.goto(`${url}#topics/channel/${other.id}`)
  await page.getByText('No topics yet.').waitFor()
  expect(await page.locator('.inbox-group ul').isVisible()).toBe(false)
  await page.goto(`${url}#topics/channel/999999`)
  await page.getByRole('main').getByText('You do not have access to this channel.').waitFor()
})

test('a list of snippets says that there are none, and that none has the words', async () => {
  const { org, ana } = await twoPeople(organization)
  const { page } = await browser.open(org, ana, '#settings/snippets')
  await page.getByText('You have no snippets.').waitFor()
  await ana.post('/saved_snippets', { title: 'Greeting', content: 'Hello' })
  await page.getByText('Greeting').waitFor()
  expect(await page.getByText('You have no snippets.').count()).toBe(0)
  await page.getByRole('searchbox', { name: 'Find a snippet' }).fill('owls')
  await page.getByText('Nothing in this list has these words.').waitFor()
})

test('the titles of empty views are alike', async () => {
  const { org, ana } = await twoPeople(organization)
  const { page, url } = await browser.open(org, ana, '#narrow/is/starred')
  const size = async (name: string) => {
    const title = page.getByRole('heading', { level: 2, name })
    await title.waitFor()
    return title.evaluate((one) => one.ownerDocument.defaultView!.getComputedStyle(one).fontSize)
  }
  const starred = await size('No messages here yet')
  await page.goto(`${url}#drafts`)
  expect(await size('No drafts')).toBe(starred)
})
