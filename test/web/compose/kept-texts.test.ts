import { expect, test } from 'vitest'
import { openPage, webBrowser, webUser } from '../../browser/chromium.ts'
import { contentsOf } from '../../messages.ts'
import { secureHost, sharedServer } from '../../test-server.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

async function scene() {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  const channel = await org.channel({ name: 'design', subscribers: [ana] })
  const opened = await browser.open(org, ana, `#narrow/channel/${channel.id}-design/topic/Icons`)
  const box = opened.page.locator('.composer textarea')
  await box.waitFor()
  return { ...opened, box, ana, channel }
}

test('what a closed tab has not sent goes out from the next one', async () => {
  const { page, context, box, ana, channel } = await scene()
  const address = page.url()
  await page.route('**/json/messages', (route) => route.abort())
  await box.fill('Sent by a tab that is gone')
  await box.press('Control+Enter')
  await page.locator('.row.outgoing').waitFor()
  await page.close()
  const next = await openPage(context, address)
  await next.page.locator('article.row:not(.outgoing)', { hasText: 'a tab that is gone' }).waitFor()
  expect(await contentsOf(ana, channel)).toEqual([['Icons', 'Sent by a tab that is gone']])
})

test('a text that is written just before the tab is closed is a draft everywhere', async () => {
  const { page, context, box, ana } = await scene()
  const address = page.url()
  await box.fill('Typed at the last moment')
  await page.close({ runBeforeUnload: true })
  await expect
    .poll(async () => (await ana.get('/drafts')).body.drafts)
    .toMatchObject([{ content: 'Typed at the last moment', topic: 'Icons' }])
  const next = await openPage(context, address)
  await expect
    .poll(() => next.page.locator('.composer textarea').inputValue())
    .toBe('Typed at the last moment')
})

test('a draft that changed in two places keeps both texts', async () => {
  const { context, box, ana } = await scene()
  await box.fill('A thought')
  await expect.poll(async () => (await ana.get('/drafts')).body.count).toBe(1)
  const [draft] = (await ana.get('/drafts')).body.drafts
  await context.setOffline(true)
  await box.fill('A thought, continued here')
  const elsewhere = { ...draft, content: 'A thought, continued elsewhere', timestamp: draft.timestamp + 60 }
  delete elsewhere.id
  await ana.patch(`/drafts/${draft.id}`, { draft: elsewhere })
  await context.setOffline(false)
  const contents = async () =>
    (await ana.get('/drafts')).body.drafts.map((one: { content: string }) => one.content).sort()
  await expect.poll(contents).toEqual(['A thought, continued elsewhere', 'A thought, continued here'])
  expect(await box.inputValue()).toBe('A thought, continued here')
})

test('files that are dropped on the page are attached to the message', async () => {
  const { page, box } = await scene()
  await page.evaluate(`(() => {
    const data = new DataTransfer()
    data.items.add(new File(['hoot'], 'owl.txt', { type: 'text/plain' }))
    for (const type of ['dragenter', 'dragover', 'drop']) {
      document.querySelector('main').dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }))
    }
  })()`)
  await expect.poll(() => box.inputValue()).toMatch(/\[owl\.txt\]\(\/user_uploads\/\S+\)/)
})
