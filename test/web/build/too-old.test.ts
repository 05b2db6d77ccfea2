import { expect, test } from 'vitest'
import { webBrowser, webUser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test('a browser that is too old says which ones are new enough', async () => {
  const org = await organization()
  const { page } = await browser.open(org, await webUser(org, 'Ana Ruiz'))
  const hint = page.getByText('needs a newer browser: Chrome or Edge 123')
  expect(await hint.isVisible()).toBe(false)
  const styles = await page.evaluate<string>(
    "fetch(document.querySelector('link[rel=stylesheet]').href).then((answer) => answer.text())",
  )
  // As a browser reads it that does not know this kind of colors.
  const body = styles.replace('@supports (color:light-dark(', '@supports (color:unknown(')
  await page.route('**/*.css', (route) => route.fulfill({ contentType: 'text/css', body }))
  await page.reload()
  await expect.poll(() => hint.isVisible()).toBe(true)
})
