import { expect, test } from 'vitest'
import { type WebUser, webBrowser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import type { Organization } from '../../organization.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

const hostile = [
  '<script>window.harmed = 1</script>',
  '<img src=x onerror="window.harmed = 1">',
  '[click](javascript:window.harmed=1)',
  '[click](data:text/html,<script>window.harmed=1</script>)',
  '<svg onload="window.harmed = 1"></svg>',
  '![x](https://elsewhere.test/pixel.png)',
  '<iframe srcdoc="<script>parent.harmed = 1</script>"></iframe>',
  '```spoiler <img src=x onerror=window.harmed=1>\n<b onmouseover="window.harmed = 1">x</b>\n```',
  '<a href="#" style="position:fixed;inset:0;background:url(https://elsewhere.test/x)">x</a>',
  '```"><script>window.harmed = 1</script>\ncode\n```',
  '$$\\href{javascript:window.harmed=1}{x}$$',
  '@**<img src=x onerror=window.harmed=1>**',
  '<time:"><script>window.harmed=1</script>>',
]

test('no message runs a script or asks another server, and pages may not either', async () => {
  const { org, ana, bo, channel } = await twoPeople(organization)
  for (const content of hostile) await sender(bo, channel)('<img src=x onerror=window.harmed=1>', content)
  await sender(bo, channel)('last', 'The end')
  const { page, url } = await browser.open(org, ana, '#inbox')
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) elsewhere.push(request.url())
  })
  await page.goto(`${url}#feed`)
  await page.getByText('The end').waitFor()
  for (const link of await page.locator('.content a, .spoiler-header').all()) {
    await link.dispatchEvent('click', {}, { timeout: 2000 }).catch(() => {})
  }
  expect(await page.evaluate('window.harmed')).toBe(undefined)
  expect(elsewhere).toEqual([])
  const inline = `try { document.body.innerHTML = '<b>x</b>'; 'assigned' } catch (error) { error.name }`
  expect(await page.evaluate(inline)).toBe('TypeError')
})

/** Opens the feed up to the message "The end", and collects the errors that the page throws there. */
async function openFeed(org: Organization, user: WebUser) {
  const { page, url } = await browser.open(org, user, '#inbox')
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(`${url}#feed`)
  await page.getByText('The end').waitFor()
  return { page, errors }
}

test('no address in a message breaks what shows it', async () => {
  const { org, ana, bo, channel } = await twoPeople(organization)
  const addresses = ['http://[', 'https://exa mple', 'https://x.test:99999/', 'http://%zz', 'mailto:%', '//[']
  for (const address of addresses) await sender(bo, channel)('addresses', `[before](${address}) *after*`)
  const video = '/user_uploads/1/ab/%zz.mp4'
  await sender(bo, channel)('addresses', `[${video}](${video})`)
  await sender(bo, channel)('last', 'The end :tada:')
  const { page, errors } = await openFeed(org, ana)
  await page
    .locator('.content em')
    .nth(addresses.length - 1)
    .waitFor()
  await page.locator('.message_inline_video a').click()
  await page.getByRole('dialog').locator('video').waitFor()
  expect(errors).toEqual([])
})

test('no widget breaks what shows it', async () => {
  const { org, ana, bo, channel } = await twoPeople(organization)
  const none = { toString: 1, valueOf: 1 }
  const hostile = [
    { widget_type: 'poll', extra_data: { question: none, options: [none, 'tea'] } },
    {
      widget_type: 'todo',
      extra_data: { task_list_title: none, tasks: [{ task: 'tea', desc: none }, none] },
    },
  ]
  for (const widget of hostile) {
    const id = await sender(bo, channel)('widgets', 'plain')
    for (const data of [
      widget,
      ...['vote', 'question', 'new_option', 'new_task', 'strike', 'new_task_list_title'].map((type) => {
        return {
          type,
          key: none,
          idx: none,
          vote: 1,
          question: none,
          title: none,
          option: none,
          task: 'x',
          desc: none,
        }
      }),
    ]) {
      const content = JSON.stringify(data)
      const { body } = await bo.post('/submessage', { message_id: id, msg_type: 'widget', content })
      expect(body.result).toBe('success')
    }
  }
  await sender(bo, channel)('last', 'The end')
  const { page, errors } = await openFeed(org, ana)
  await page.locator('.widget', { hasText: 'tea' }).nth(1).waitFor()
  expect(errors).toEqual([])
})

test('what cannot be shown takes no other message with it', async () => {
  const { org, ana, bo, channel } = await twoPeople(organization)
  await sender(bo, channel)('broken', '<time:2031-01-01T00:00:00Z>')
  await sender(bo, channel)('last', 'The end')
  const { page, url } = await browser.open(org, ana, '#inbox')
  await page.addInitScript(`
    const parse = Date.parse
    Date.parse = (text) => {
      if (text.startsWith('2031')) throw new Error('Nothing reads this.')
      return parse(text)
    }`)
  await page.goto('about:blank')
  await page.goto(`${url}#feed`)
  await page.getByText('The end').waitFor()
  await page.getByText('This message cannot be shown.').waitFor()
  expect(await page.getByText('Nothing reads this.').count()).toBe(0)
})
