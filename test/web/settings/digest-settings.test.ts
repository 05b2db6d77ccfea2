import { expect, test } from 'vitest'
import { messagesTable } from '../../../web/view/settings/organization/tables/general.ts'
import { settingsOf } from '../../../web/view/settings/parts/declare.ts'
import { openPage, type WebPage, webBrowser, webUser } from '../../browser/chromium.ts'
import type { Organization } from '../../organization.ts'
import { worldOfMail } from '../../programs/mail-server.ts'
import { sharedServer } from '../../test-server.ts'
import { walkScreen } from '../settings-walk.ts'

const { organization } = sharedServer()
const { all } = worldOfMail()
const browser = webBrowser()

const address = '#organization/messages'
const ofDigests = ['digest_emails_enabled', 'digest_weekday']

async function screenOf(org: Organization) {
  const olga = await webUser(org, 'Olga Owner')
  await org.owner.patch(`/users/${olga.id}`, { role: 100 })
  return { olga, first: await browser.open(org, olga, address) }
}

const row = ({ page }: WebPage, key: string) => page.locator(`[data-key="${key}"]`)

test('administrators turn digests on, and then choose their weekday', async () => {
  const { olga, first } = await screenOf(await all.organization())
  await row(first, 'digest_weekday').getByText('The setting above is off.').waitFor()
  const read = (state: Record<string, unknown>) =>
    Object.fromEntries(ofDigests.map((key) => [key, state[`realm_${key}`]]))
  const except = settingsOf(messagesTable).flatMap(({ key }) => (ofDigests.includes(key) ? [] : key))
  const second = await openPage(first.context, first.url + address)
  const walked = await walkScreen({ address, screen: messagesTable, user: olga, first, second, read, except })
  expect(walked).toEqual(ofDigests)
  const days = await row(first, 'digest_weekday').locator('option').allTextContents()
  expect(days).toEqual(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])
})

test('without a mail server, digests cannot be turned on', async () => {
  const { first } = await screenOf(await organization())
  await row(first, 'digest_emails_enabled').getByText('has not set this up').waitFor()
})
