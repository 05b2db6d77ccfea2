import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import type { webBrowser } from '../browser/chromium.ts'
import { direct, sender } from '../messages.ts'
import { sendFiles } from '../pictures.ts'
import type { TestServer } from '../test-server.ts'
import { twoPeople } from './two-people.ts'

/** A long topic, in which a message has a picture, a reaction and an earlier version, and unread ones elsewhere. */
export async function shortcutScene(
  organization: TestServer['organization'],
  browser: ReturnType<typeof webBrowser>,
) {
  const { org, ana, bo, channel } = await twoPeople(organization)
  await org.channel({ name: 'engineering', subscribers: [ana, bo] })
  const say = sender(bo, channel)
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const { body } = await sendFiles(bo, 'POST', '/user_uploads', [{ name: 'owl.png', content: picture }])
  const chosen = await say('Owls', `Look at this [owl.png](${body.url})`)
  await bo.post(`/messages/${chosen}/reactions`, { emoji_name: 'tada' })
  await bo.patch(`/messages/${chosen}`, { content: `Look at this owl [owl.png](${body.url})` })
  for (let n = 1; n <= 40; n++) await say('Owls', `Filler ${n}\n\n${'a line\n'.repeat(5)}`)
  await sender(ana, channel)('Owls', 'My own words')
  await say('Ducks', 'Quack')
  await say('Geese', 'Honk')
  await ana.post('/user_topics', { stream_id: channel.id, topic: 'Geese', visibility_policy: 3 })
  await direct(bo, [ana], 'Hello Ana')
  await ana.patch('/settings', { web_mark_read_on_scroll_policy: 3 })
  const owls = `#narrow/channel/${channel.id}-design/topic/Owls`
  const opened = await browser.open(org, ana, owls)
  await opened.page.getByText('Look at this owl').waitFor()
  await opened.page.locator('.composer textarea').waitFor()
  return { ...opened, ana, chosen, owls }
}

/** Presses a stroke of the table. */
export const press = (page: Page, stroke: string) => page.keyboard.press(stroke.replace('Ctrl+', 'Control+'))
export const title = (page: Page) => page.getByRole('heading', { level: 1 }).innerText()
export const selected = (page: Page) =>
  page.evaluate<string>('document.querySelector(".row.selected .row-main")?.textContent ?? ""')
const scrolled = (page: Page) =>
  page.evaluate<number>('document.querySelector(".message-scroller").scrollTop')

export type Scene = Awaited<ReturnType<typeof shortcutScene>>
/** Carries a shortcut out by one of its strokes, and fails unless it did what the table says. */
export type Check = (scene: Scene, hit: () => Promise<void>, stroke: string) => Promise<void>

/** Goes to a view, with nothing open and the focus nowhere. */
export async function begin({ page, url }: Scene, hash: string, heading: RegExp) {
  await page.goto(url + hash)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await page.evaluate('document.activeElement.blur()')
}

/** Selects the first or the last message of the long topic, once it is there to be selected. */
async function goToEnd(scene: Scene, end: 'Home' | 'End') {
  await begin(scene, scene.owls, /Owls/)
  await scene.page.locator('article').first().waitFor()
  await expect
    .poll(async () => {
      await scene.page.keyboard.press(end)
      return selected(scene.page)
    })
    .toContain(end === 'Home' ? 'Look at this owl' : 'My own words')
}

/** Selects a message of the long topic. */
export function choose(scene: Scene, text = 'Look at this owl') {
  return goToEnd(scene, text === 'Look at this owl' ? 'Home' : 'End')
}

const headings = { '#recent': /Recent/, '#inbox': /Inbox/ }

/** Waits for the box in which the user's own message is edited, and closes it. The message has the focus again. */
export async function cancelEdit({ page }: Scene) {
  const box = page.getByRole('textbox', { name: 'Edit' })
  await expect.poll(() => box.inputValue()).toBe('My own words')
  await expect.poll(() => page.evaluate('document.activeElement?.ariaLabel')).toBe('Edit')
  await page.keyboard.press('Escape')
  await box.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('ARTICLE')
}

export const leadsTo =
  (heading: RegExp, from: keyof typeof headings = '#recent'): Check =>
  async (scene, hit) => {
    await begin(scene, from, headings[from])
    await hit()
    await scene.page.getByRole('heading', { level: 1, name: heading }).waitFor()
  }

export const opens =
  (role: 'dialog' | 'combobox', name: RegExp): Check =>
  async (scene, hit) => {
    await choose(scene)
    await hit()
    await scene.page.getByRole(role, { name }).first().waitFor()
    await scene.page.keyboard.press('Escape')
    await scene.page.getByRole(role, { name }).first().waitFor({ state: 'detached' })
  }

export const moves =
  (from: 'Home' | 'End', to: RegExp): Check =>
  async (scene, hit) => {
    await goToEnd(scene, from)
    await hit()
    await expect.poll(() => selected(scene.page)).toMatch(to)
  }

export const scrolls =
  (from: 'Home' | 'End', direction: 1 | -1): Check =>
  async (scene, hit) => {
    await choose(scene, from === 'Home' ? undefined : 'My own')
    const before = await scrolled(scene.page)
    await hit()
    await expect.poll(async () => ((await scrolled(scene.page)) - before) * direction).toBeGreaterThan(200)
  }

/** Acts on the chosen message: what a caller of the API sees of it afterwards. */
export const changes =
  (seen: (scene: Scene) => Promise<unknown>, before: unknown, after: unknown): Check =>
  async (scene, hit) => {
    await choose(scene)
    expect(await seen(scene)).toEqual(before)
    await hit()
    await expect.poll(() => seen(scene)).toEqual(after)
  }

const messageOf = async ({ ana, chosen }: Scene) => (await ana.get(`/messages/${chosen}`)).body.message
export const hasFlag = (flag: string) => async (scene: Scene) => (await messageOf(scene)).flags.includes(flag)
export const reactors = (name: string) => async (scene: Scene) =>
  (await messageOf(scene)).reactions.filter((one: { emoji_name: string }) => one.emoji_name === name).length
export const policy = async ({ ana }: Scene) => {
  const topics: { topic_name: string; visibility_policy: number }[] = (await ana.register()).state.user_topics
  return topics.find((one) => one.topic_name === 'Owls')?.visibility_policy ?? 0
}

export const box = (page: Page) => page.locator('.composer textarea')
export const isFocused = (page: Page) =>
  page.evaluate<boolean>('document.activeElement?.matches(".composer textarea") ?? false')

/** Writes in the box of the long topic, with its last word selected. */
export async function write(scene: Scene, text: string) {
  await begin(scene, scene.owls, /Owls/)
  await box(scene.page).fill(text)
  await scene.page.keyboard.press('Control+Shift+ArrowLeft')
}

export const writes =
  (text: string, after: RegExp): Check =>
  async (scene, hit) => {
    await write(scene, text)
    await hit()
    await expect.poll(() => box(scene.page).inputValue()).toMatch(after)
    await box(scene.page).fill('')
  }

export const inserts =
  (after: RegExp): Check =>
  async (scene, hit) => {
    await choose(scene)
    await box(scene.page).fill('')
    await scene.page.evaluate('document.activeElement.blur()')
    await hit()
    await expect.poll(() => box(scene.page).inputValue()).toMatch(after)
    await expect.poll(() => isFocused(scene.page)).toBe(true)
    await box(scene.page).fill('')
  }
