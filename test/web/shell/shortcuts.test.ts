import { expect, test } from 'vitest'
import { type Action, actionOf, shortcutGroups, shortcuts } from '../../../web/lib/keys.ts'
import { webBrowser } from '../../browser/chromium.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import {
  begin,
  box,
  type Check,
  cancelEdit,
  changes,
  choose,
  hasFlag,
  inserts,
  isFocused,
  leadsTo,
  moves,
  opens,
  policy,
  press,
  reactors,
  scrolls,
  selected,
  shortcutScene,
  title,
  write,
  writes,
} from '../shortcut-checks.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

const checks: Record<Action, Check | 'native'> = {
  next: moves('Home', /Filler 1\b/),
  previous: moves('End', /Filler 40/),
  page_down: scrolls('Home', 1),
  page_up: scrolls('End', -1),
  start: moves('End', /this owl/),
  end: moves('Home', /My own/),
  history: 'native',
  previous_view: leadsTo(/Inbox/, '#recent'),
  next_view: leadsTo(/Recent/, '#inbox'),

  inbox: leadsTo(/Inbox/),
  recent: leadsTo(/Recent/, '#inbox'),
  feed: leadsTo(/Combined feed/),
  starred: leadsTo(/Starred/),
  drafts: leadsTo(/Drafts/),
  directs: leadsTo(/Direct messages/),
  next_unread_topic: leadsTo(/Geese|Ducks|Owls/),
  next_unread_followed: leadsTo(/Geese/),
  next_unread_direct: leadsTo(/Bo Lind/),
  zoom: async (scene, hit) => {
    await choose(scene)
    await hit()
    await expect.poll(() => title(scene.page)).not.toContain('Owls')
    await scene.page.getByText('Honk').first().waitFor()
    await scene.page.keyboard.press('End')
    await expect.poll(() => selected(scene.page)).toContain('Honk')
    await hit()
    await expect.poll(() => title(scene.page)).toContain('Geese')
  },
  context: async (scene, hit) => {
    await begin(scene, '#narrow/search/Quack', /Search/)
    await scene.page.locator('article').waitFor()
    await scene.page.keyboard.press('j')
    await hit()
    await expect.poll(() => title(scene.page)).toContain('Ducks')
  },
  search: opens('combobox', /Search/),
  jump: opens('dialog', /Jump/),
  find_channel: opens('dialog', /Jump/),
  find_person: opens('dialog', /Jump/),
  help: opens('dialog', /Keyboard shortcuts/),
  escape: async (scene, hit) => {
    await choose(scene)
    await hit()
    await hit()
    await expect.poll(() => title(scene.page)).toBe('Inbox')
  },

  reply: async (scene, hit) => {
    await choose(scene)
    await hit()
    await expect.poll(() => isFocused(scene.page)).toBe(true)
  },
  reply_direct: async (scene, hit) => {
    await choose(scene)
    await hit()
    await expect.poll(() => title(scene.page)).toBe('Bo Lind')
    await expect.poll(() => isFocused(scene.page)).toBe(true)
  },
  quote: inserts(/^@_\*\*Bo Lind\|\d+\*\* \[said\][\s\S]*```quote\nLook at this owl/),
  forward: opens('dialog', /Forward/),
  mention: inserts(/^@\*\*Bo Lind\|\d+\*\* /),
  edit: async (scene, hit) => {
    await choose(scene, 'My own words')
    await hit()
    await cancelEdit(scene)
    await choose(scene)
    await hit()
    const source = scene.page.getByRole('dialog', { name: 'View source' })
    await source.waitFor()
    await scene.page.keyboard.press('Escape')
    await source.waitFor({ state: 'detached' })
  },
  edit_last: async (scene, hit) => {
    await choose(scene)
    await hit()
    await cancelEdit(scene)
  },
  move: opens('dialog', /Move/),
  thumbs_up: changes(reactors('+1'), 0, 1),
  first_reaction: changes(reactors('tada'), 1, 2),
  react: opens('combobox', /Find an emoji/),
  star: changes(hasFlag('starred'), false, true),
  user_card: opens('dialog', /Bo Lind/),
  image: opens('dialog', /owl\.png/),
  collapse: async (scene, hit) => {
    await changes(hasFlag('collapsed'), false, true)(scene, hit, '')
    await scene.page.getByText('Collapsed message').waitFor()
    await hit()
    await scene.page.getByText('Look at this owl').waitFor()
  },
  edit_history: opens('dialog', /Edit history/),
  receipts: opens('dialog', /Read receipts/),
  mark: async (scene, hit) => {
    await choose(scene)
    await hit()
    const bar = scene.page.getByRole('toolbar', { name: 'Selected messages' })
    await bar.getByText('1 selected').waitFor()
    await scene.page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
  },
  mark_unread: async (scene, hit) => {
    await scene.ana.post('/messages/flags', { messages: [scene.chosen], op: 'add', flag: 'read' })
    await changes(hasFlag('read'), true, false)(scene, hit, '')
  },
  mute_topic: changes(policy, 0, 1),
  follow_topic: async (scene, hit) => {
    await changes(policy, 1, 3)(scene, hit, '')
  },

  new_topic: async (scene, hit) => {
    await choose(scene)
    await hit()
    await scene.page.locator('.begin-box').getByRole('combobox', { name: 'Topic' }).waitFor()
    await scene.page.keyboard.press('Escape')
  },
  new_direct: async (scene, hit) => {
    await choose(scene)
    await hit()
    await scene.page.getByRole('combobox', { name: 'Add people' }).waitFor()
    await scene.page.keyboard.press('Escape')
  },
  target: async (scene, hit) => {
    await begin(scene, '#narrow/search/Quack', /Search/)
    await scene.page.locator('article').waitFor()
    await scene.page.keyboard.press('j')
    await box(scene.page).click()
    await hit()
    await expect.poll(() => title(scene.page)).toContain('Ducks')
  },
  send: async (scene, hit, stroke) => {
    await scene.ana.patch('/settings', { enter_sends: stroke === 'Enter' })
    await begin(scene, scene.owls, /Owls/)
    // Until the page has heard of the setting, the other key makes a line.
    await expect
      .poll(async () => {
        await box(scene.page).fill(`Sent by ${stroke}`)
        await hit()
        return box(scene.page).inputValue()
      })
      .toBe('')
    await scene.page.locator('article:not(.outgoing)', { hasText: `Sent by ${stroke}` }).waitFor()
  },
  new_line: writes('one two', /^one \n$/),
  bold: writes('one two', /^one \*\*two\*\*$/),
  italic: writes('one two', /^one \*two\*$/),
  link: writes('one two', /^one \[two\]\(/),
  preview: async (scene, hit) => {
    await write(scene, '*leaning*')
    await hit()
    await scene.page.locator('.compose-preview em', { hasText: 'leaning' }).waitFor()
    await hit()
    await expect.poll(() => isFocused(scene.page)).toBe(true)
    await box(scene.page).fill('')
  },
  leave_writing: async (scene, hit) => {
    await write(scene, 'kept')
    await hit()
    await expect.poll(() => isFocused(scene.page)).toBe(false)
    expect(await box(scene.page).inputValue()).toBe('kept')
    await box(scene.page).fill('')
  },
}

test('every shortcut of the table is checked here', () => {
  expect(Object.keys(checks).sort()).toEqual(shortcuts.map(({ action }) => action).sort())
})

test.each(['move', 'go', 'message', 'write'] as const)(
  'each shortcut of the group %s does what the table says, by each of its keys',
  // They are many.
  { timeout: 180_000 },
  async (group) => {
    const made = await shortcutScene(organization, browser)
    for (const { action, keys } of shortcutGroups[group]) {
      const check = checks[action]
      if (check === 'native') continue
      for (const stroke of keys) {
        await check(made, () => press(made.page, stroke), stroke).catch((error: Error) => {
          error.message = `${action} by ${stroke}: ${error.message}`
          throw error
        })
      }
    }
  },
)

test('no shortcut fires while the user writes, or while an input method composes', async () => {
  const made = await shortcutScene(organization, browser)
  const { page } = made
  await choose(made)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && !/typing|drafts|presence/.test(request.url())) asked.push(request.url())
  })
  const hash = await page.evaluate<string>('location.hash')
  const strokes = shortcuts.flatMap(({ keys }) => keys).filter((stroke) => actionOf(stroke) !== undefined)
  // With an input method, the key that it takes comes to the page as one that is part of a composition.
  await page.evaluate(
    `for (const stroke of ${JSON.stringify(strokes)}) {
      const parts = stroke.split(/\\+(?=.)/)
      const key = parts.at(-1) === 'Space' ? ' ' : parts.at(-1)
      const how = { key, ctrlKey: parts.includes('Ctrl'), shiftKey: parts.includes('Shift'), isComposing: true }
      document.body.dispatchEvent(new KeyboardEvent('keydown', { ...how, bubbles: true, cancelable: true }))
    }`,
  )
  await box(page).click()
  const single = strokes.filter((stroke) => stroke.length === 1 || /^Shift\\+[A-Z]$/.test(stroke))
  for (const stroke of single) await press(page, stroke)
  const typed = single.map((stroke) => stroke.at(-1)).join('')
  await page.keyboard.press('Escape')
  // Suggestions may be open, which the first Escape closes.
  if (await isFocused(page)) await page.keyboard.press('Escape')
  expect(await box(page).inputValue()).toBe(typed)
  expect(await page.evaluate<string>('location.hash')).toBe(hash)
  expect(await page.locator('dialog[open], [role=dialog], [role=menu]').count()).toBe(0)
  expect(await selected(page)).toContain('Look at this owl')
  expect(asked).toEqual([])
})
