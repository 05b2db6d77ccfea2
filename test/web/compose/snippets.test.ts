import { expect, test } from 'vitest'
import { webBrowser, webUser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test('a text is saved as a snippet, changed, used again and deleted', async () => {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  const channel = await org.channel({ name: 'design', subscribers: [ana] })
  const { page, problems } = await browser.open(org, ana, `#narrow/channel/${channel.id}/topic/Icons`)
  const box = page.locator('.composer textarea')
  const dialog = page.getByRole('dialog', { name: 'Snippets' })
  const open = async () => {
    await page.getByRole('button', { name: 'Snippets' }).click()
    await dialog.waitFor()
  }
  await box.fill('Hello and welcome')
  await open()
  await dialog.getByLabel('Title').fill('Greeting')
  expect(await dialog.getByLabel('Text').inputValue()).toBe('Hello and welcome')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: 'Edit the snippet: Greeting' }).click()
  await dialog.getByLabel('Text').fill('Hello!')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: /^Greeting Hello!/ }).waitFor()
  await page.keyboard.press('Escape')
  await box.fill('')
  await open()
  await dialog.getByRole('searchbox').fill('greet')
  await page.keyboard.press('Enter')
  await expect.poll(() => box.inputValue()).toBe('Hello!')
  const saved = async () => (await ana.get('/saved_snippets')).body.saved_snippets
  expect(await saved()).toMatchObject([{ title: 'Greeting', content: 'Hello!' }])
  await open()
  await dialog.getByRole('button', { name: 'Delete the snippet: Greeting' }).click()
  await expect.poll(async () => (await saved()).length).toBe(0)
  expect(problems).toEqual([])
})
