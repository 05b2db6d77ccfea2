import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  optionsOf,
  type Screen,
  type SettingSpec,
  settingsOf,
  type Value,
} from '../../web/view/settings/parts/declare.ts'
import type { WebPage } from '../browser/chromium.ts'
import type { Person } from '../person.ts'

// Walks through a table of settings, as the screen shows it.

const lang = fileURLToPath(new URL('../../web/lang/', import.meta.url))
const texts: Record<string, string> = Object.assign(
  {},
  ...readdirSync(lang, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(^|[\\/])en\.json$/.test(name))
    .map((name) => JSON.parse(readFileSync(lang + name, 'utf8'))),
)

/** The English text of a key. */
export function english(key: string): string {
  return texts[key] ?? key
}

/** Waits until the section of an address is open, with the focus on its title, and has read what it shows. */
export async function sectionOpens(page: Page, address: string) {
  const name = await page.locator(`.section-list a[href="${address}"][aria-current]`).textContent()
  const title = `document.querySelector('.settings-content h2:focus')?.textContent`
  await expect.poll(() => page.evaluate(title), { message: address }).toBe(name)
  const busy = page.locator('.settings-content [aria-busy=true]')
  await expect.poll(() => busy.count(), { message: address }).toBe(0)
}

type Walk = {
  /** The address of the screen: `#settings/appearance`. */
  address: string
  screen: Screen
  /** The user whose settings are shown in both tabs. */
  user: Person
  first: WebPage
  second: WebPage
  /** The settings of the screen's scope in the response to a fresh register. */
  read(registered: Record<string, unknown>): Record<string, unknown>
  /** Keys that are left out, because another test changes them. */
  except?: readonly string[]
}

/**
 * Changes each setting of a screen in one tab, and expects the change in the API, in a fresh register, and in the other tab
 * without another load.
 */
export async function walkScreen({ address, screen, user, first, second, read, except = [] }: Walk) {
  await first.page.goto(first.url + address)
  await second.page.goto(second.url + address)
  const registered = async () =>
    read((await user.post('/register', { client_capabilities: capabilities })).body)
  const walked = settingsOf(screen).filter(({ key, kind }) => kind !== 'group' && !except.includes(key))
  for (const spec of walked) {
    const before = (await registered())[spec.field ?? spec.key]
    const value = otherValue(spec, before as Value)
    await choose(first.page, spec, value)
    await expect
      .poll(async () => (await registered())[spec.field ?? spec.key], { message: spec.key })
      .toEqual(value)
    await expectShown(second.page, spec, value)
  }
  return walked.map(({ key }) => key)
}

const capabilities = { user_settings_object: true, notification_settings_null: true }

/** A value that the setting takes and that it does not have. */
function otherValue(spec: SettingSpec, now: Value): Value {
  switch (spec.kind) {
    case 'switch':
      return !now
    case 'choice':
      return optionsOf(spec).find(({ value }) => value !== now)?.value ?? null
    case 'number':
      return now === spec.min ? spec.min + (spec.step ?? 1) : spec.min
    case 'duration':
      return spec.options.find(({ value }) => value !== now)?.value ?? null
    default:
      return `${now ?? ''} changed`.slice(0, spec.kind === 'text' ? spec.max : undefined)
  }
}

function controlOf(page: Page, spec: SettingSpec) {
  return page.locator(`[data-key="${spec.key}"]`).getByLabel(english(spec.text), { exact: true }).first()
}

async function choose(page: Page, spec: SettingSpec, value: Value) {
  const control = controlOf(page, spec)
  await control.waitFor()
  if (spec.kind === 'switch') await control.setChecked(value === true)
  else if (spec.kind === 'choice' && spec.isRadio) {
    await control.getByLabel(labelOf(spec, value), { exact: true }).check()
  } else if (spec.kind === 'choice' || spec.kind === 'duration') {
    await control.selectOption({ value: String(value) })
  } else {
    await control.fill(String(value))
    await control.blur()
  }
}

function labelOf(spec: SettingSpec, value: Value): string {
  const options = spec.kind === 'choice' ? optionsOf(spec) : spec.kind === 'duration' ? spec.options : []
  const option = options.find((one) => one.value === value)
  if (!option) throw new Error(`${spec.key} has no option ${value}`)
  return 'text' in option ? english(option.text) : option.name
}

async function expectShown(page: Page, spec: SettingSpec, value: Value) {
  const control = controlOf(page, spec)
  const shown = async () => {
    if (spec.kind === 'switch') return control.isChecked()
    if (spec.kind === 'choice' && spec.isRadio) {
      return control
        .getByLabel(labelOf(spec, value), { exact: true })
        .isChecked()
        .then((is) => (is ? value : !value))
    }
    if (spec.kind === 'choice' || spec.kind === 'duration') {
      return control.inputValue()
    }
    return control.inputValue()
  }
  const isOption = (spec.kind === 'choice' && !spec.isRadio) || spec.kind === 'duration'
  const wanted = isOption ? String(value) : typeof value === 'number' ? String(value) : value
  await expect
    .poll(shown, { message: `${spec.key} in the second tab` })
    .toEqual(spec.kind === 'choice' && spec.isRadio ? value : wanted)
}
