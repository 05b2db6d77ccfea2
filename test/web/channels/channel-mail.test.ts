import { expect, test } from 'vitest'
import { viewports, webBrowser, webUser } from '../../browser/chromium.ts'
import { addressOf, mailDomain, worldOfIncomingMail } from '../../programs/smtp.ts'

const { all } = worldOfIncomingMail()
const browser = webBrowser()

test('the settings of a channel show the address for mail to those who may post', async () => {
  const org = await all.organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  const only = { direct_members: [ana.id], direct_subgroups: [] }
  const channel = await org.channel({
    name: 'design-of-the-next-harbour',
    creator: ana,
    subscribers: [ana, bo],
    permissions: { can_send_message_group: only },
  })
  const address = await addressOf(ana, channel.id)
  expect(address).toContain(mailDomain)
  for (const size of ['wide', 'phone'] as const) {
    const { page } = await browser.open(org, ana, `#channels/${channel.id}/general`, {
      viewport: viewports[size],
    })
    const dialog = page.getByRole('dialog', { name: /Settings of #/ })
    await dialog.getByText(address).waitFor()
    await dialog.getByText(address).scrollIntoViewIfNeeded()
    const [inside, panel] = [await dialog.getByText(address).boundingBox(), await dialog.boundingBox()]
    expect(inside!.x + inside!.width).toBeLessThanOrEqual(panel!.x + panel!.width)
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await page.getByText('Copied').waitFor()
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/mail-${size}.png` })
  }
  const { page } = await browser.open(org, bo, `#channels/${channel.id}/general`)
  const dialog = page.getByRole('dialog', { name: /Settings of #/ })
  await dialog.getByLabel('Description').waitFor()
  await dialog.getByRole('button', { name: /Archive/ }).waitFor()
  expect(await dialog.getByText('Email address').count()).toBe(0)
})
