import { beforeAll, expect, test } from 'vitest'
import { viewports, type WebUser, webBrowser, webUser } from '../../browser/chromium.ts'
import type { Organization } from '../../organization.ts'
import { secureHost, testServer } from '../../test-server.ts'
import { violations } from '../axe.ts'

const server = testServer({ host: secureHost })
const { organization } = server
const browser = webBrowser()

// The page leads to public addresses, so that of the server must be where it listens.
beforeAll(() => {
  server.node.site.publicUrl.port = String(server.node.port)
})

const address = (org: Organization) => `http://${org.place.host}:${org.place.port}/`

test('the account menu leads to the other organizations, and back, without another sign-in', async () => {
  const [one, two] = [await organization(), await organization()]
  const [ana, bo] = [await webUser(one, 'Ana Ruiz'), await webUser(two, 'Bo Lind')]
  const { page, problems } = await browser.open(one, undefined)
  const enter = async (user: WebUser) => {
    await page.getByLabel('Email address').fill(user.email)
    await page.getByLabel('Password').fill(user.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Account' }).waitFor()
  }
  const openList = async () => {
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Other organizations' }).click()
    await page.getByRole('heading', { name: 'Choose an organization' }).waitFor()
  }
  await enter(ana)
  await openList()
  const entries = page.getByRole('listitem')
  expect(await entries.allInnerTexts()).toEqual([expect.stringContaining('org1 (this one)')])
  await page.getByLabel('Name or address').fill('org2')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in to org2' }).waitFor()
  await enter(bo)
  expect(page.url()).toContain(address(two))
  await openList()
  expect(await entries.allInnerTexts()).toEqual([
    expect.stringContaining('org2 (this one)'),
    expect.stringContaining('org1'),
  ])
  await page.getByRole('link', { name: 'org1' }).click()
  await page.getByRole('button', { name: 'Account' }).waitFor()
  expect(page.url()).toContain(address(one))
  await openList()
  await page.getByRole('link', { name: 'org2' }).click()
  await page.getByRole('button', { name: 'Account' }).waitFor()
  expect(page.url()).toContain(address(two))
  await openList()
  await page.getByRole('button', { name: 'Forget org1' }).click()
  await expect.poll(() => entries.count()).toBe(1)
  await page.getByRole('button', { name: 'Forget all' }).click()
  await page.getByText('will be listed here').waitFor()
  await page.goto(address(one))
  await page.getByRole('button', { name: 'Account' }).waitFor()
  // Without a session, the client learns so from the server.
  expect(problems.filter((problem) => !problem.includes('401'))).toEqual([])
})

test('who came to an unknown address finds an organization from there', async () => {
  const org = await organization()
  const { page } = await browser.open(org, undefined)
  await page.goto(address(org).replace(org.place.host, `nobody.${secureHost}`))
  await page.getByText('There is no organization at this address.').waitFor()
  await page.getByRole('link', { name: 'Another organization' }).click()
  await page.getByLabel('Name or address').fill('nobody')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('There is no organization at nobody.').waitFor()
  await page.getByLabel('Name or address').fill('https://example.com/')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('This is not an address of this server').waitFor()
  await page.getByLabel('Name or address').fill(address(org))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Sign in to/ }).waitFor()
  expect(page.url()).toContain(address(org))
  await page.getByRole('link', { name: 'Another organization' }).click()
  await page.getByRole('heading', { name: 'Choose an organization' }).waitFor()
})

test.each(['light', 'dark'] as const)(
  'the list can be used on a phone, by keyboard, by everyone (%s)',
  async (colorScheme) => {
    const names = ['Analytical Engines', 'A name so long that it takes three lines', 'Müller']
    const orgs = await Promise.all(names.map(() => organization()))
    await Promise.all(orgs.map((org, i) => org.owner.patch('/realm', { name: names[i] })))
    const [here] = orgs as [Organization]
    const user = await webUser(here, 'Ana Ruiz')
    const { page, context } = await browser.open(here, user, '', { colorScheme, viewport: viewports.phone })
    await context.addCookies([
      {
        name: 'rookery-organizations',
        value: orgs.map((org) => org.state.row.subdomain).join('.'),
        domain: `.${secureHost}`,
        path: '/',
      },
    ])
    await page.goto(`${address(here)}accounts/go?organization=nobody`)
    await page.getByRole('alert').waitFor()
    expect(await violations(page)).toEqual([])
    const icons = () => page.evaluate('[...document.images].map((one) => one.naturalWidth > 0)')
    await expect.poll(icons).toEqual([true, true, true])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewports.phone.width)
    await page.goto(`${address(here)}accounts/go`)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Analytical Engines')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(icons).toHaveLength(2)
  },
)
