import type { Page } from 'playwright-core'
import { expect } from 'vitest'

// Two ways to use the web client, as people do who have a keyboard alone, or a mouse and a keyboard to write texts.

/** A file for the file chooser of the browser. */
export type Picture = { name: string; mimeType: string; buffer: Buffer }

export type Hand = {
  /** Opens a section of the settings by its name. */
  open(name: string): Promise<void>
  /** Opens the dialog of a new channel: by its name, or from the list of the channels. */
  openNewChannel(): Promise<void>
  press(name: string): Promise<void>
  /** Presses a button that opens a dialog. */
  openDialog(name: string): Promise<void>
  /** Writes into a field, in place of what it has. */
  write(label: string, text: string): Promise<void>
  /** In a group of choices, takes the next one after the chosen one. */
  takeNext(chosen: string, next: string): Promise<void>
  /** Adds a person or a group to a field of several. */
  add(label: string, name: string): Promise<void>
  choosePicture(button: string, picture: Picture): Promise<void>
  /** Chooses a picture and accepts the part of it that a dialog offers. */
  cropPicture(button: string, picture: Picture): Promise<void>
}

/** The most presses of Tab that a step may take: a person who must press more often has lost the way. */
const mostTabs = 30

const focusedName = `(() => {
  const one = document.activeElement
  const named = document.getElementById(one.getAttribute('aria-labelledby'))
  const whole = one.labels?.[0]
  const label = (whole?.querySelector('strong') ?? whole)?.cloneNode(true)
  label?.querySelectorAll('input, select, textarea, small').forEach((field) => field.remove())
  return (one.ariaLabel || named?.textContent || label?.textContent || one.textContent).trim()
})()`

/** Presses Tab until an element of this name has the focus. */
async function tabTo(page: Page, name: string) {
  const passed: string[] = []
  for (let i = 0; i <= mostTabs; i++) {
    const now = await page.evaluate<string>(focusedName)
    if (now === name || now.startsWith(`${name} `)) return
    passed.push(now.slice(0, 30))
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${name}, but to ${passed.join(', ')}`)
}

/** Waits for a dialog. Its code may have to be loaded. */
const dialogOpens = (page: Page) => page.locator('dialog[open]').last().waitFor()

/** Waits until a picture can be cropped: it is read first. */
const cropOpens = (page: Page) =>
  expect.poll(() => page.getByRole('button', { name: 'Use this part' }).isEnabled()).toBe(true)

const suggestions = '.suggestions [role=option]'

/** Has Playwright take all file choosers: it begins a moment after something has asked for them, which may be too late. */
const takeChoosers = (page: Page) => page.on('filechooser', () => {})

export function keyboardHand(page: Page): Hand {
  takeChoosers(page)
  const to = (name: string) => tabTo(page, name)
  const jumpTo = async (name: string) => {
    await page.keyboard.press('Control+k')
    await page.locator('dialog [role=combobox]:focus').waitFor()
    await page.keyboard.type(name)
    await page.locator('[role=option][aria-selected=true]', { hasText: name }).waitFor()
    await page.keyboard.press('Enter')
  }
  const press = async (name: string) => {
    await to(name)
    await page.keyboard.press('Enter')
  }
  const choosePicture = async (button: string, picture: Picture) => {
    await to(button)
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')])
    await chooser.setFiles(picture)
  }
  return {
    async open(name) {
      await jumpTo(name)
      await page.locator('.settings-content h2:focus', { hasText: name }).waitFor()
    },
    async openNewChannel() {
      await jumpTo('New channel')
      await page.getByRole('dialog', { name: 'New channel' }).waitFor()
    },
    press,
    async openDialog(name) {
      await press(name)
      await dialogOpens(page)
    },
    async write(label, text) {
      await to(label)
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText(text)
    },
    async takeNext(chosen) {
      await to(chosen)
      await page.keyboard.press('ArrowDown')
    },
    async add(label, name) {
      await to(label)
      await page.keyboard.type(name)
      await page.locator(suggestions, { hasText: name }).first().waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
    },
    choosePicture,
    async cropPicture(button, picture) {
      await choosePicture(button, picture)
      await cropOpens(page)
    },
  }
}

export function mouseHand(page: Page): Hand {
  takeChoosers(page)
  // If a dialog and the page behind it have the same name, only the first can be reached.
  const area = async () => {
    const dialog = page.locator('dialog[open]').last()
    return (await dialog.count()) > 0 ? dialog : page.locator('body')
  }
  const button = async (name: string) =>
    (await area())
      .getByRole('button', { name, exact: true })
      .or((await area()).getByRole('link', { name, exact: true }))
      .first()
  const field = async (label: string) => (await area()).getByLabel(label, { exact: true }).first()
  const press = async (name: string) => (await button(name)).click()
  const choosePicture = async (name: string, picture: Picture) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      (await button(name))
        .or(await field(name))
        .first()
        .click(),
    ])
    await chooser.setFiles(picture)
  }
  return {
    async open(name) {
      await page.getByRole('button', { name: 'Account', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Settings' }).click()
      await page.locator('.section-list').getByRole('link', { name, exact: true }).click()
      await expect.poll(() => page.locator('.settings-content h2').first().innerText()).toBe(name)
    },
    async openNewChannel() {
      await press('Browse channels')
      await press('New channel')
      await dialogOpens(page)
    },
    press,
    async openDialog(name) {
      await press(name)
      await dialogOpens(page)
    },
    async write(label, text) {
      await (await field(label)).click({ clickCount: 3 })
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText(text)
    },
    async takeNext(_chosen, next) {
      await (await area()).getByText(next, { exact: true }).click()
    },
    async add(label, name) {
      await (await field(label)).click()
      await page.keyboard.type(name)
      await page.locator(suggestions, { hasText: name }).first().click()
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
    },
    choosePicture,
    async cropPicture(name, picture) {
      await choosePicture(name, picture)
      await cropOpens(page)
    },
  }
}
