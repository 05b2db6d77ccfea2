import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { viewports, webBrowser, webUser } from '../../browser/chromium.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { keepNow } from '../kept-state.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

/** Ana has the client on her phone, and its service worker runs. The worker comes late, so the tests share the page. */
async function begin() {
  const org = await organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  await org.channel({ name: 'design', subscribers: [ana, bo] })
  const opened = await browser.open(org, ana, '', {
    viewport: viewports.phone,
    serviceWorkers: 'allow',
  })
  await opened.page.evaluate('navigator.serviceWorker.ready.then(() => {})')
  return { ...opened, ana, bo }
}

let scene: Awaited<ReturnType<typeof begin>>
beforeAll(async () => {
  scene = await begin()
})

/** Shares as the system does: a form leads a tab to the address of the manifest. */
function share(page: Page, fields: Record<string, string>, files: Record<string, string> = {}, target = '') {
  return page.evaluate(`{
    const form = document.createElement('form')
    Object.assign(form, { method: 'POST', action: '${target}/share', enctype: 'multipart/form-data' })
    for (const [name, value] of Object.entries(${JSON.stringify(fields)})) {
      const input = document.createElement('textarea')
      Object.assign(input, { name, value })
      form.append(input)
    }
    const chosen = new DataTransfer()
    for (const [name, text] of Object.entries(${JSON.stringify(files)})) chosen.items.add(new File([text], name))
    const picker = document.createElement('input')
    Object.assign(picker, { type: 'file', name: 'files', multiple: true })
    picker.files = chosen.files
    form.append(picker)
    document.body.append(form)
    form.submit()
  }`)
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Share' })

test('the manifest names the address for sharing', async () => {
  const { page, url } = scene
  const manifest = await page.evaluate<{ share_target: object }>(
    `fetch('${url}manifest.webmanifest').then((answer) => answer.json())`,
  )
  expect(manifest.share_target).toMatchObject({
    action: '/share',
    method: 'POST',
    enctype: 'multipart/form-data',
  })
})

test('a share waits until the user has chosen where it goes, and then is sent', async () => {
  const { page, ana, bo } = scene
  const sent: string[] = []
  page.on(
    'request',
    (one) =>
      /json\/(messages|drafts|user_uploads)$/.test(one.url()) &&
      one.method() === 'POST' &&
      sent.push(one.url()),
  )
  await share(
    page,
    { title: 'A page', text: 'Look at this', url: 'https://example.com/a' },
    { 'notes.txt': 'Notes' },
  )
  await dialog(page).getByText('Look at this').waitFor()
  await dialog(page).getByText('notes.txt').waitFor()
  expect(sent).toEqual([])
  await dialog(page).getByRole('button', { name: 'To people' }).click()
  const text = page.locator('.begin-box textarea')
  await expect.poll(() => text.inputValue()).toMatch(/^A page\nLook at this\nhttps:\/\/example.com\/a\n+\[/)
  await page.getByRole('combobox', { name: 'Add people' }).fill('Bo')
  await page.getByRole('option', { name: 'Bo Lind' }).click()
  await expect.poll(() => text.inputValue()).toMatch(/\[notes.txt\]\(\/user_uploads\//)
  await page.locator('.begin-box').getByRole('button', { name: 'Send' }).click()
  await page.getByRole('heading', { level: 1, name: 'Bo Lind' }).waitFor()
  await page.locator('article').getByRole('link', { name: 'notes.txt' }).first().waitFor()
  const { body } = await bo.get('/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [{ operator: 'sender', operand: ana.id }],
  })
  expect(body.messages[0].content).toContain('Look at this')
})

test('a file on its way goes with the text to the conversation that is chosen meanwhile', async () => {
  const { page } = scene
  let free = () => {}
  const freed = new Promise<void>((resolve) => {
    free = resolve
  })
  await page.context().route('**/json/user_uploads', async (route) => {
    await freed
    await route.continue()
  })
  await share(page, { text: 'With a file' }, { 'notes.txt': 'Notes' })
  await dialog(page).getByRole('button', { name: 'To a channel' }).click()
  const text = page.locator('.begin-box textarea')
  await expect.poll(() => text.inputValue()).toContain('notes.txt')
  await page.getByRole('combobox', { name: 'Channel' }).fill('design')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: /^Topic/ }).fill('Notes')
  free()
  await expect.poll(() => text.inputValue()).toMatch(/^With a file\n+\[notes.txt\]\(\/user_uploads\//)
})

test('a share comes back after its dialog was closed, but not after it was discarded', async () => {
  const { page, url } = scene
  await share(page, { text: 'Later' })
  await dialog(page).getByText('Later').waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await share(page, { text: 'Now' })
  await dialog(page).getByText('Later').waitFor()
  await dialog(page).getByText('Now').waitFor()
  await dialog(page).getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => waiting(page)).toBe(0)
  expect(page.url()).toBe(`${url}#inbox`)
})

test('a share without a session is there after the sign-in', async () => {
  const { page, context, ana } = scene
  await keepNow(page, ana.id)
  await context.clearCookies()
  await share(page, { text: 'Before signing in' })
  await page.waitForURL('**/login**')
  await page.locator('input[name=username]').fill(ana.email)
  await page.locator('input[name=password]').fill(ana.password)
  await page.keyboard.press('Enter')
  await dialog(page).getByText('Before signing in').waitFor()
  await dialog(page).getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => waiting(page)).toBe(0)
})

test('pages of other sites share nothing', async () => {
  const { page, context, url } = scene
  await elsewhere(context)
  const other = await context.newPage()
  await other.goto('http://elsewhere.test/')
  const answered = other.waitForResponse('**/share')
  await share(other, { text: 'From elsewhere' }, {}, url.replace(/\/$/, ''))
  expect((await answered).status()).toBeGreaterThanOrEqual(400)
  expect(await waiting(page)).toBe(0)
})

async function elsewhere(context: BrowserContext) {
  const headers = { 'referrer-policy': 'unsafe-url' }
  await context.route('http://elsewhere.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<p>Elsewhere</p>', headers }),
  )
}

/** How many things wait that were shared. */
function waiting(page: Page) {
  return page.evaluate<number>(
    `caches.open('shared').then((cache) => cache.keys()).then(({ length }) => length)`,
  )
}
