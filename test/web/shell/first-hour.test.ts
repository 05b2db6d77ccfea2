import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownerOf, webBrowser } from '../../browser/chromium.ts'
import type { Organization } from '../../organization.ts'
import { sharedServer } from '../../test-server.ts'
import { type Hand, keyboardHand, mouseHand, type Picture } from '../hands.ts'

const { organization } = sharedServer()
const browser = webBrowser()

const pictureFile = new URL('../../../web/public/icon-192.png', import.meta.url)
/** The folder for pictures of the steps, if there is one. */
const folder = process.env.SCREENSHOTS

// The first hour of an owner: from the first steps to an organization of five people.

test.each([
  ['the keyboard alone', keyboardHand],
  ['the mouse', mouseHand],
] as const)('an owner sets up an organization with %s', { timeout: 180_000 }, async (name, handOf) => {
  const org = await organization()
  await org.log.commit((change) => change.update('account', { id: org.owner.id, can_create_users: true }))
  const { page, problems } = await browser.open(org, await ownerOf(org))
  let step = 0
  const shoot = async (what: string) => {
    const file = `${name}-${++step}-${what}.png`.replaceAll(' ', '-')
    if (folder) await page.screenshot({ path: join(folder, file) })
  }
  const hand = handOf(page)
  const finish = async (button: string) => {
    await hand.press(button)
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
  }
  const save = async () => {
    await hand.press('Save')
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
  }
  const tour = { hand, shoot, finish, save, seen: (text: string) => page.getByText(text).first().waitFor() }
  await page.getByRole('heading', { level: 2, name: 'First steps' }).waitFor()
  await hand.write('Name of the organization', 'Analytical Engines')
  await shoot('first steps')
  await hand.press('Done')
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  await people(tour)
  const picture = { name: 'logo.png', mimeType: 'image/png', buffer: await readFile(pictureFile) }
  await pictures(tour, picture)
  await channels(tour)
  await group(tour)
  await extras(tour, picture)
  await expectAll(org)
  expect(problems).toEqual([])
})

type Tour = {
  hand: Hand
  shoot(step: string): Promise<unknown>
  /** Presses the button that ends a dialog, and waits until it has closed. */
  finish(button: string): Promise<void>
  /** Saves a setting, and waits until it is: who leaves it before is asked about what they have changed. */
  save(): Promise<void>
  seen(text: string): Promise<void>
}

async function people({ hand, shoot, finish, seen }: Tour) {
  await hand.open('Users')
  for (const name of ['Bo Lind', 'Cy Okafor', 'Dana Weiss', 'Emre Yilmaz']) {
    await hand.openDialog('Create user')
    await hand.write('Name', name)
    await hand.write('Email', `${name.split(' ')[0]?.toLowerCase()}@example.com`)
    await hand.write('Password', 'a long enough password')
    await finish('Create')
    await seen(`${name} has an account now.`)
  }
  await shoot('five people')
}

async function pictures({ hand, shoot, finish }: Tour, picture: Picture) {
  await hand.open('Organization profile')
  await hand.cropPicture('Choose a picture: Icon', picture)
  await shoot('crop')
  await finish('Use this part')
}

async function channels({ hand, shoot, finish }: Tour) {
  for (const [name, person] of [
    ['board', 'Bo Lind'],
    ['finance', 'Cy Okafor'],
  ] as const) {
    await hand.openNewChannel()
    await hand.write('Name', name)
    await hand.takeNext('Public', 'Private, shared history')
    await hand.add('Add to: Subscribers', person)
    await shoot('new channel')
    await finish('Create')
  }
}

async function group({ hand, shoot, finish, save, seen }: Tour) {
  await hand.open('User groups')
  await hand.openDialog('New group')
  await hand.write('Name', 'leads')
  await hand.add('Add to: Members', 'Dana Weiss')
  await finish('Create')
  await seen('Created by')
  await shoot('group')
  await hand.open('Permissions')
  await hand.add('Add to: Create public channels', 'leads')
  await save()
}

async function extras({ hand, shoot, finish, seen }: Tour, picture: Picture) {
  await hand.open('Linkifiers')
  await hand.openDialog('New linkifier')
  await hand.write('Pattern, a regular expression with named groups', '#(?P<id>[0-9]+)')
  await hand.write('URL template', 'https://tracker.example.com/{id}')
  await finish('Add')
  await hand.open('Custom emoji')
  await hand.openDialog('Add emoji')
  await hand.choosePicture('Picture', picture)
  await finish('Add')
  await shoot('emoji')
  await hand.open('Your bots')
  await hand.write('Name', 'Build bot')
  await hand.press('Create the bot')
  await seen('build-bot-bot@')
  await shoot('bot')
  await hand.open('Data exports')
  await hand.openDialog('Start an export')
  await finish('Start')
  await shoot('export')
  await seen('Public data')
}

async function expectAll(org: Organization) {
  const { owner } = org
  await expect.poll(() => org.state.row.name).toBe('Analytical Engines')
  const { state } = await owner.register()
  const humans = state.realm_users.filter((one: { is_bot: boolean }) => !one.is_bot)
  expect(humans.map((one: { full_name: string }) => one.full_name).sort()).toEqual(
    expect.arrayContaining(['Bo Lind', 'Cy Okafor', 'Dana Weiss', 'Emre Yilmaz']),
  )
  expect(humans).toHaveLength(5)
  expect(state.realm_icon_source).toBe('U')
  const made = state.subscriptions.map((one: { name: string; invite_only: boolean }) => [
    one.name,
    one.invite_only,
  ])
  expect(made.sort()).toEqual([
    ['board', true],
    ['finance', true],
  ])
  const leads = state.realm_user_groups.find((one: { name: string }) => one.name === 'leads')
  expect(leads.members).toHaveLength(2)
  expect(state.realm_can_create_public_channel_group.direct_subgroups).toContain(leads.id)
  expect(state.realm_linkifiers).toHaveLength(1)
  expect(state.realm_users.map((one: { full_name: string }) => one.full_name)).toContain('Build bot')
  expect(Object.values(state.realm_emoji)).toMatchObject([{ name: 'logo' }])
  expect((await owner.get('/export/realm')).body.exports).toHaveLength(1)
}
