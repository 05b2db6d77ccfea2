import { expect, test } from 'vitest'
import { groupPermissions, groupTexts } from '../../../web/view/groups/declared.ts'
import { viewports, webBrowser, webUser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { english } from '../settings-walk.ts'
import { expectStateToMatch, letCompare } from '../state-in-browser.ts'

const { organization } = sharedServer()
const browser = webBrowser()

/** Ana manages a group with Bo in it, within another one. Cy may do nothing with them. */
async function scene() {
  const org = await organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  const cy = await webUser(org, 'Cy Okafor')
  const create = async (name: string, params: object) =>
    (await ana.post('/user_groups/create', { name, description: `About ${name}`, members: [], ...params }))
      .body.group_id as number
  const inner = await create('designers', { members: [bo.id] })
  const outer = await create('builders', { subgroups: [inner] })
  const read = async (id: number) =>
    (await ana.get('/user_groups', { include_deactivated_groups: true })).body.user_groups.find(
      (one: { id: number }) => one.id === id,
    )
  return { org, ana, bo, cy, inner, outer, read }
}

test('a group is created by keyboard, found, and changed in all tabs', async () => {
  const { org, ana, bo, read } = await scene()
  const { page, context, url } = await browser.open(org, ana, '#groups')
  const second = await context.newPage()
  await second.goto(`${url}#groups`)
  for (const tab of [page, second]) await letCompare(tab)
  await page.getByRole('button', { name: 'New group' }).press('Enter')
  await page.getByRole('dialog', { name: 'New group' }).locator('input:focus').waitFor()
  await page.keyboard.type('owls')
  await page.keyboard.press('Tab')
  await page.keyboard.type('They fly at night')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('bo')
  await page.getByRole('option', { name: /Bo Lind/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Create' }).press('Enter')
  await page.getByRole('heading', { name: 'owls' }).waitFor()
  const id = Number(/groups\/(\d+)/.exec(page.url())?.[1])
  expect(await read(id)).toMatchObject({ name: 'owls', members: [ana.id, bo.id] })
  await second.getByRole('searchbox', { name: 'Find a group' }).fill('at night')
  await second.getByRole('link', { name: /owls/ }).click()
  for (const { key, text } of groupTexts) {
    const field = page.locator(`[data-key="${key}"]`).getByLabel(english(text))
    await field.fill(`New ${key}`)
    await field.blur()
    await expect.poll(async () => (await read(id))[key]).toBe(`New ${key}`)
    const shown = second.locator(`[data-key="${key}"]`).getByLabel(english(text))
    await expect.poll(() => shown.inputValue()).toBe(`New ${key}`)
  }
  for (const { key } of groupPermissions) {
    const row = page.locator(`[data-key="${key}"]`)
    await row.getByRole('combobox').fill('bo')
    await page.getByRole('option', { name: /Bo Lind/ }).click()
    await row.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => JSON.stringify((await read(id))[key])).toContain(String(bo.id))
    await second.locator(`[data-key="${key}"]`).getByText('Bo Lind').waitFor()
  }
  for (const tab of [page, second]) await expectStateToMatch(tab)
})

test('the screen has all that the operation takes', async () => {
  const { ana } = await scene()
  const { body } = await ana.get('/openapi.json')
  const declared = Object.keys(
    body.paths['/user_groups/{user_group_id}'].patch.requestBody.content['application/x-www-form-urlencoded']
      .schema.properties,
  )
  const shown = [...groupTexts, ...groupPermissions].map(({ key }) => key)
  // It has buttons.
  expect(shown.concat('deactivated').toSorted()).toEqual(declared.toSorted())
})

test.each(['wide', 'phone'] as const)(
  'members come by person and from channels, say why they are in, and go together (%s)',
  async (size) => {
    const { org, ana, bo, cy, outer, read } = await scene()
    const channel = await org.channel({ name: 'design', creator: cy, subscribers: [cy] })
    const { page } = await browser.open(org, ana, `#groups/${outer}`, { viewport: viewports[size] })
    await letCompare(page)
    const row = (name: string) => page.locator('.people-table li', { hasText: name })
    await row('Bo Lind').getByText('Through designers').waitFor()
    expect(await row('Bo Lind').getByRole('button', { name: 'Remove Bo Lind' }).isDisabled()).toBe(true)
    const add = page.getByRole('combobox', { name: 'Add to: Add people' })
    await add.fill('design')
    await page.getByRole('option', { name: /^design.*1 subscriber/ }).click()
    await page.getByText('1 person will be added.').waitFor()
    await add.fill('bo')
    await page.getByRole('option', { name: /Bo Lind/ }).click()
    await page.getByText('2 people will be added.').waitFor()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await row('Cy Okafor').getByText('Direct member').waitFor()
    await row('Bo Lind').getByText('Direct member · Through designers').waitFor()
    expect((await read(outer)).members).toEqual([bo.id, cy.id])
    await page.getByLabel('Select all 2').check()
    await page.getByRole('button', { name: 'Remove 2 people' }).click()
    await row('Cy Okafor').waitFor({ state: 'detached' })
    expect((await read(outer)).members).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await row('Cy Okafor').waitFor()
    await ana.delete(`/streams/${channel.id}`)
    await expectStateToMatch(page)
  },
)

test('a circle of groups is refused with the reason, and groups are added and removed', async () => {
  const { org, ana, inner, outer, read } = await scene()
  const { page } = await browser.open(org, ana, `#groups/${inner}`)
  await page.getByText('Part of').waitFor()
  const add = page.getByRole('combobox', { name: 'Add to: Add groups' })
  await add.fill('builders')
  await page.getByRole('option', { name: 'builders' }).click()
  await page.getByText('builders contains designers already, so it cannot be within it.').waitFor()
  expect(await page.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Remove builders' }).click()
  await add.fill('moder')
  await page.getByRole('option', { name: 'Moderators' }).click()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const parts = page.getByRole('list', { name: 'Groups within it' })
  await parts.getByRole('link', { name: /Moderators/ }).waitFor()
  expect((await read(inner)).direct_subgroup_ids).toEqual([org.group('role:moderators')])
  await parts.getByRole('button', { name: 'Remove Moderators' }).click()
  await parts.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /builders/ }).click()
  await page.getByRole('heading', { name: 'builders' }).waitFor()
  expect(page.url()).toContain(`#groups/${outer}`)
})

test('a group is deactivated unless it is in use, and reactivated', async () => {
  const { org, ana, inner, outer, read } = await scene()
  const { page } = await browser.open(org, ana, `#groups/${inner}`)
  const deactivate = async () => {
    await page.getByRole('button', { name: 'Deactivate the group' }).click()
    const question = page.getByRole('dialog', { name: 'Deactivate the group' })
    await question.getByRole('button', { name: 'Deactivate the group' }).click()
  }
  await deactivate()
  await page.getByRole('alert').getByText('It is within builders.').waitFor()
  await ana.post(`/user_groups/${outer}/subgroups`, { delete: [inner] })
  await deactivate()
  await page.getByRole('button', { name: 'Reactivate the group' }).waitFor()
  expect((await read(inner)).deactivated).toBe(true)
  await page.getByRole('button', { name: 'Reactivate the group' }).click()
  await page.getByRole('button', { name: 'Deactivate the group' }).waitFor()
  expect((await read(inner)).deactivated).toBe(false)
})

test('those who may not see why; all may join and leave where they are allowed to', async () => {
  const { org, ana, cy, inner, read } = await scene()
  const { page } = await browser.open(org, cy, `#groups/${inner}`)
  const join = page.getByRole('button', { name: 'Join designers' })
  await page.getByText('You do not have permission to change this group.').first().waitFor()
  await page.getByText('You do not have permission to add members to this group.').first().waitFor()
  expect(await join.isDisabled()).toBe(true)
  expect(await page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Deactivate the group' }).isDisabled()).toBe(true)
  await ana.patch(`/user_groups/${inner}`, { can_join_group: { new: org.group('role:members') } })
  await join.click()
  await page.getByRole('button', { name: 'Leave designers' }).waitFor()
  expect((await read(inner)).members).toContain(cy.id)
  await page.getByRole('button', { name: 'Leave designers' }).click()
  await join.waitFor()
  await page.goto(page.url().replace(/#.*/, '#groups'))
  await page.getByRole('link', { name: /Moderators/ }).click()
  await page.getByText('These groups follow from the roles').first().waitFor()
  expect(await page.getByRole('combobox').count()).toBe(0)
})
