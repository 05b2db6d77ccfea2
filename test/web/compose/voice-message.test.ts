import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser, webUser } from '../../browser/chromium.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { violations } from '../axe.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

async function scene() {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  const channel = await org.channel({ name: 'design', subscribers: [ana] })
  const { page, problems } = await browser.open(org, ana)
  await page.evaluate(keepStreams)
  await page.evaluate(`location.assign('#narrow/channel/${channel.id}/topic/Dark')`)
  await page.locator('.composer textarea').waitFor()
  const dialog = page.getByRole('dialog', { name: 'Record a voice message' })
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
  const record = () => page.getByRole('button', { name: 'Record a voice message' }).click()
  return { page, problems, dialog, press, record }
}

/** Keeps what the page hears, so that a test sees whether the microphone is still in use. */
const keepStreams = `{
  const getUserMedia = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  window.streams = []
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    const stream = await getUserMedia(wanted)
    window.streams.push(stream)
    return stream
  }
}`

function usesMicrophone(page: Page) {
  return page.evaluate<boolean>(
    `streams.some((stream) => stream.getTracks().some(({ readyState }) => readyState === 'live'))`,
  )
}

test('a user records a voice message, listens to it, and sends it', async () => {
  const { page, problems, dialog, press, record } = await scene()
  await record()
  await dialog.getByText('Recording', { exact: true }).waitFor()
  expect(await usesMicrophone(page)).toBe(true)
  await dialog.getByRole('timer').getByText('0:01').waitFor()
  await expect
    .poll(() => page.evaluate<number>('document.querySelector("dialog meter").value'))
    .toBeGreaterThan(0)
  expect(await violations(page)).toEqual([])
  await press('Stop')
  await dialog.getByLabel('Your voice message').waitFor()
  expect(await violations(page)).toEqual([])
  expect(await usesMicrophone(page)).toBe(false)
  await press('Attach')
  const box = page.locator('.composer textarea')
  await expect
    .poll(() => box.inputValue())
    .toMatch(/^\[Voice message\.webm\]\(\/user_uploads\/\S+\.webm\)\n?$/)
  expect(await box.evaluate((area) => area.matches(':focus'))).toBe(true)
  await page.keyboard.press('Control+Enter')
  const lengthOf = () => page.evaluate<number>('document.querySelector("article audio")?.duration')
  await expect.poll(lengthOf).toBeGreaterThan(1)
  expect(await lengthOf()).toBeLessThan(60)
  expect(problems).toEqual([])
})

test('a recording is discarded only after a question, and ends then', async () => {
  const { page, dialog, press, record } = await scene()
  await record()
  await dialog.getByText('Recording', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog').last()
  await question.getByRole('button', { name: 'Discard' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => usesMicrophone(page)).toBe(false)
  await record()
  await dialog.getByText('Recording', { exact: true }).waitFor()
  await press('Stop')
  await press('Record again')
  await dialog.getByText('Recording', { exact: true }).waitFor()
})

test('a user who refuses the microphone is told how to allow it, and may try again', async () => {
  const { page, dialog, press, record } = await scene()
  // As browsers do after a refusal, until the user changes the setting.
  await page.evaluate(`{
    const { getUserMedia } = navigator.mediaDevices
    const refuse = () => Promise.reject(new DOMException('Permission denied', 'NotAllowedError'))
    navigator.mediaDevices.getUserMedia = refuse
    window.allow = () => { navigator.mediaDevices.getUserMedia = getUserMedia }
  }`)
  await record()
  await dialog.getByRole('alert').getByText('Allow it in the settings of this page').waitFor()
  await page.evaluate('allow()')
  await press('Try again')
  await dialog.getByText('Recording', { exact: true }).waitFor()
})
