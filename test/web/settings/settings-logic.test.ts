import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { auditTable } from '../../../web/lib/audit.ts'
import { cropOf } from '../../../web/lib/crop.ts'
import { optionData, optionsIn } from '../../../web/lib/profile-fields.ts'
import { hashOf, parseHash } from '../../../web/lib/route.ts'
import { windowOf } from '../../../web/lib/row-window.ts'
import { otherAddresses, ourAddress } from '../../../web/view/settings/other-addresses.ts'
import { repository } from '../../runner/source.ts'

test('a new option of a profile field does not take the value of one that is removed', () => {
  const data = { 0: { text: 'Vim', order: '1' }, 1: { text: 'Emacs', order: '2' } }
  const before = optionsIn(JSON.stringify(data))
  const options = [
    { value: '0', text: 'Vi' },
    { value: '', text: 'Nano' },
  ]
  expect(optionData(options, before)).toEqual({
    0: { text: 'Vi', order: '1' },
    2: { text: 'Nano', order: '2' },
  })
})

test('a long list makes the rows that are in view, and a few around them', () => {
  const view = { height: 440, count: 10_000, rowHeight: 44 }
  expect(windowOf({ ...view, top: 0 })).toEqual({ from: 0, to: 18 })
  expect(windowOf({ ...view, top: 44_000 })).toEqual({ from: 992, to: 1018 })
  expect(windowOf({ ...view, top: 439_560 })).toEqual({ from: 9982, to: 10_000 })
  // After a search, less is left than was scrolled past.
  expect(windowOf({ ...view, top: 44_000, count: 3 })).toEqual({ from: 2, to: 3 })
})

test('the part of a picture that is cut out fits into it, wherever its middle is wanted', () => {
  const picture = { width: 400, height: 200 }
  expect(cropOf(picture, 1, 1, { x: 0.5, y: 0.5 })).toEqual({ x: 100, y: 0, width: 200, height: 200 })
  expect(cropOf(picture, 1, 2, { x: 0, y: 1 })).toEqual({ x: 0, y: 100, width: 100, height: 100 })
  expect(cropOf(picture, 4, 1, { x: 0.9, y: 0.5 })).toEqual({ x: 0, y: 50, width: 400, height: 100 })
})

test('a table of the audit log says whether it has the last entry', async () => {
  const pages = [
    { entries: [], next_cursor: 'a' },
    { entries: [], next_cursor: null },
  ]
  const asked: (string | undefined)[] = []
  const read = async (cursor?: string) => {
    asked.push(cursor)
    return pages[asked.length - 1] ?? { entries: [], next_cursor: null }
  }
  expect(await auditTable(read, 10)).toMatchObject({ count: 0, isWhole: true })
  expect(asked).toEqual([undefined, 'a'])
  asked.length = 0
  expect(await auditTable(read, 0)).toMatchObject({ isWhole: false })
  expect(asked).toEqual([undefined])
})

test('the addresses of settings in other clients lead to our sections', () => {
  const lists = ['you', 'organization'].map((name) =>
    readFileSync(new URL(`../../../web/view/settings/${name}/sections.ts`, import.meta.url), 'utf8'),
  )
  const ours = [...lists.join().matchAll(/address: '([^']+)'/g)].map(([, address]) => address)
  expect(otherAddresses.filter((one) => !ours.includes(ourAddress(one)))).toEqual([])
  // None of ours is taken for another.
  expect(ours.filter((one = '') => ourAddress(one) !== one)).toEqual([])
  expect(ourAddress('organization/emoji-settings/new')).toBe('organization/emoji/new')
  expect(ourAddress('groups/12/design/general')).toBe('groups/12/design/general')
  expect(hashOf(parseHash('#streams/5/design/general'))).toBe('#channels/5/design/general')
  expect(parseHash('#scheduled')).toEqual({ view: 'drafts' })
  expect(parseHash('#reminders')).toEqual({ view: 'drafts' })
})

test('the address of a narrow may name any operator', () => {
  for (const address of ['#narrow/constructor/x', '#narrow/-toString/x']) {
    expect(hashOf(parseHash(address))).toBe(address)
  }
  expect(hashOf(parseHash('#narrow/-stream/4-design'))).toBe('#narrow/-channel/4')
})

test('what depends on roles and permissions follows them', () => {
  const unwatched =
    /currentState\(\)\.(is_(owner|admin|moderator|guest)|realm_can_\w+)|\bis_(owner|admin|moderator|guest)\b.*\} = currentState\(\)/
  // Asked once, when the page begins.
  const others = repository().filter(
    ({ path }) => /^web\/.*\.tsx?$/.test(path) && path !== 'web/store/home.ts',
  )
  expect(others.filter(({ text }) => unwatched.test(text)).map(({ path }) => path)).toEqual([])
})
