import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { safeFetch } from '../../../src/adapters/safe-fetch.ts'
import { webBrowser } from '../../browser/chromium.ts'
import { png } from '../../pictures.ts'
import { atEndOfFile } from '../../runner/end-of-file.ts'
import { testServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const all = testServer({ adapters: { fetch: safeFetch({ mayReach: () => true }) } })
const browser = webBrowser()

const nest = await png(600, 300)
const site = createServer((request, response) => {
  const isPicture = request.url === '/nest.png'
  const head = `<title>The rooks of the old town</title><meta property="og:image" content="/nest.png">
    <meta name="description" content="${'They nest in colonies, high in the trees, and come back each year. '.repeat(6)}">`
  response
    .writeHead(200, { 'content-type': isPicture ? 'image/png' : 'text/html' })
    .end(isPicture ? nest : head)
})
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
atEndOfFile(() => void site.close())

test('a linked page appears below the message, with its picture, and the list of conversations does without it', async () => {
  const { org, ana, channel, say } = await twoPeople(() => all.organization())
  await org.owner.patch('/realm', { inline_url_embed_preview: true })
  const { page } = await browser.open(org, ana, `#narrow/channel/${channel.id}/topic/Birds`)
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/rooks`
  await say('Birds', `look at this: ${url}`)
  const row = page.locator('article', { hasText: 'look at this' })
  await row.waitFor()
  await all.workOff()
  const preview = row.locator('.message_embed')
  await preview.getByRole('link', { name: 'The rooks of the old town' }).waitFor()
  expect(await preview.getByRole('link').count()).toBe(1)
  const picture = preview.locator('.message_embed_image')
  const style = (await picture.getAttribute('style')) ?? ''
  const [, address = ''] = /url\("(.*)"\)/.exec(style) ?? []
  expect(await page.evaluate<number>(`fetch(${JSON.stringify(address)}).then(({ status }) => status)`)).toBe(
    200,
  )
  // Two lines of the description beside the picture.
  expect((await preview.boundingBox())!.height).toBeLessThan(100)
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/link-preview.png` })

  await page.goto(page.url().replace(/#.*/, '#inbox'))
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  await say('Nests', `one more: ${url}`)
  const line = page.getByText('one more')
  await line.waitFor()
  expect(await line.textContent()).not.toContain('rooks of the old')
})
