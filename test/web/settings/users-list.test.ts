import { expect, test } from 'vitest'
import { rowFinder } from '../../../web/lib/row-finder.ts'
import { webBrowser, webUser } from '../../browser/chromium.ts'
import { testServer } from '../../test-server.ts'
import { addMembers } from '../many-users.ts'

const server = testServer()
const browser = webBrowser()
const count = 10_000

/** Counts the texts that are brought into their plain form. */
const countPlain = `
  window.plain = 0
  const { toLowerCase } = String.prototype
  String.prototype.toLowerCase = function () { window.plain++; return toLowerCase.call(this) }`

test('among 10,000 people, each is prepared for the search once, and only those in view have rows', async () => {
  const org = await server.organization()
  const olga = await webUser(org, 'Olga Owner')
  await org.owner.patch(`/users/${olga.id}`, { role: 100 })
  await addMembers(server.databaseUrl, org.id, count)
  const { port } = await server.anotherNode()
  const opened = await browser.open({ ...org, place: { ...org.place, port } }, olga)
  const { page } = opened
  await page.addInitScript(countPlain)
  await page.goto('about:blank')
  await page.goto(`${opened.url}#organization/users`)
  await page.getByText(/^10,00\d people$/).waitFor()
  const field = page.getByLabel('Find in this list', { exact: true })
  const rows = page.locator('.data-table tbody tr[aria-rowindex]')
  expect(await rows.count()).toBeLessThan(40)
  const prepared = () => page.evaluate<number>('plain')
  await field.press('p')
  const before = await prepared()
  await field.pressSequentially('erson 9998')
  await expect.poll(() => rows.count()).toBe(1)
  await rows.getByText('Zoë Person 9998').waitFor()
  // Each key brings what was typed into this form, and nothing of the 10,000.
  expect((await prepared()) - before).toBeLessThan(count / 100)
})

test('a search that goes on looks through what was found, and a changed row is prepared again', () => {
  const rows = ['Ana Ruiz', 'Zoë Bär', 'Ana Bär', 'Bo Lind'].map((name) => ({ name }))
  let asked: string[] = []
  const through = rowFinder<{ name: string }>(({ name }) => {
    asked.push(name)
    return name
  })
  const find = through(rows)
  const names = (words: string, by = find) => {
    asked = []
    return by(words).map(({ name }) => name)
  }
  expect(names('')).toEqual(['Ana Ruiz', 'Zoë Bär', 'Ana Bär', 'Bo Lind'])
  expect(names('ana')).toEqual(['Ana Ruiz', 'Ana Bär'])
  expect(names('ana BA')).toEqual(['Ana Bär'])
  expect(asked).toEqual(['Ana Ruiz', 'Ana Bär'])
  expect(names('zoe')).toEqual(['Zoë Bär'])
  expect(asked).toHaveLength(4)
  Object.assign(rows[3] as object, { name: 'Zoe Lind' })
  expect(names('zoe', through(rows))).toEqual(['Zoë Bär', 'Zoe Lind'])
})
