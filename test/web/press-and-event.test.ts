import { test } from 'vitest'
import { webBrowser } from '../chromium.ts'
import { sharedServer } from '../test-server.ts'
import { twoPeople } from './two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test.each([
  ['the jump', 'q', '#design', 'h1:has-text("design")'],
  ['the search', '/', 'design', 'dialog .pill'],
])(
  'a click in %s counts even if an event arrives before the button is released',
  async (_, key, typed, chosen) => {
    const { org, ana, channel } = await twoPeople(organization)
    const { page } = await browser.open(org, ana, '#inbox')
    await page.keyboard.press(key)
    await page.locator('[role=combobox]:focus').waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(typed)
    const option = page.getByRole('option', { name: 'design' }).last()
    const box = (await option.boundingBox())!
    await page.mouse.move(box.x + 20, box.y + box.height / 2)
    await page.mouse.down()
    const color = { stream_id: channel.id, property: 'color', value: '#aa0011' }
    await ana.post('/users/me/subscriptions/properties', { subscription_data: [color] })
    await page.locator(`.rail-item [style*="${color.value}"]`).waitFor()
    await page.mouse.up()
    await page.locator(chosen).waitFor()
  },
)
