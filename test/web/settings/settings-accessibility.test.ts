import { expect, test } from 'vitest'
import { viewports, webBrowser, webUser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { violations } from '../axe.ts'
import { sectionOpens } from '../settings-walk.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test.each([
  ['light', 'wide', 'en-US'],
  ['dark', 'phone', 'de-DE'],
] as const)(
  'no section of the settings has a serious fault of accessibility (%s, %s)',
  // On a busy machine, axe takes seconds for a section.
  { timeout: 180_000 },
  async (colorScheme, size, locale) => {
    const org = await organization()
    const ana = await webUser(org, 'Ana Ruiz')
    await org.channel({ name: 'design', subscribers: [ana] })
    await org.owner.post('/realm/profile_fields', { name: 'Birthday', field_type: 4 })
    await ana.post('/bots', { full_name: 'Deployer', short_name: 'deployer' })
    await ana.post('/users/me/alert_words', { alert_words: ['rookery'] })
    const options = { colorScheme, locale, viewport: viewports[size] }
    const { page, problems } = await browser.open(org, ana, '#settings', options)
    const list = page.locator('.section-list a[href^="#settings/"]')
    await list.first().waitFor()
    const addresses = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.section-list a')].map((link) => link.hash)`,
    )
    expect(addresses.length).toBeGreaterThan(10)
    const own = addresses.filter((address) => address.startsWith('#settings/'))
    for (const address of ['#settings', ...own]) {
      await page.evaluate(`location.hash = ${JSON.stringify(address)}`)
      if (address !== '#settings') await sectionOpens(page, address)
      expect(await violations(page), address).toEqual([])
      const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
      expect(await page.evaluate(isTooWide), `${address} is too wide`).toBe(false)
    }
    expect(problems).toEqual([])
  },
)
