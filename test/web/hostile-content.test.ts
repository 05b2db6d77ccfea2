import { expect, test } from 'vitest'
import { webBrowser } from '../chromium.ts'
import { sender } from '../messages.ts'
import { secureHost, sharedServer } from '../test-server.ts'
import { twoPeople } from './two-people.ts'

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
