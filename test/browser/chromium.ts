import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { putPassword } from '../../src/features/accounts/kernel/login/put-password.ts'
import { Browser as TestBrowser } from '../browser.ts'
import { hashOf, Organization } from '../organization.ts'
import { type Person, personWith } from '../person.ts'
import { launchBrowser } from './browser-engine.ts'
import { noteInputs, reportOf } from './page-report.ts'

type Options = Pick<
  BrowserContextOptions,
  | 'viewport'
  | 'colorScheme'
  | 'locale'
  | 'reducedMotion'
  | 'forcedColors'
  | 'hasTouch'
  | 'isMobile'
  | 'serviceWorkers'
>

/** A user who can sign in. */
export type WebUser = Person & { password: string }

/** An organization in which a user can sign in: of a test server, or of a server process. */
export type Site = Pick<Organization, 'place' | 'owner' | 'visitor'>

/** Creates a member with a password. */
export async function webUser(org: Site, name: string): Promise<WebUser> {
  const email = `${name.toLowerCase().replace(/[^a-z]+/g, '.')}@example.com`
  const password = 'a long enough password'
  if (org instanceof Organization) {
    return Object.assign(await org.personWithPassword({ name, email, password }), { password })
  }
  const made = await org.owner.post('/users', { email, full_name: name, password })
  expect(made.body.result).toBe('success')
  const { body } = await org.visitor.post('/fetch_api_key', { username: email, password })
  return Object.assign(await personWith(org.place, email, body.api_key), { password })
}

/** Gives the owner of a new organization a password. */
export async function ownerOf(org: Organization): Promise<WebUser> {
  const password = 'a long enough password'
  const hash = await hashOf(password)
  await org.log.commit((change) => putPassword(change, org.owner.id, hash))
  return Object.assign(org.owner, { password })
}

/** The viewports in which screens are tried. */
export const viewports = {
  wide: { width: 1280, height: 800 },
  phone: { width: 360, height: 740 },
} as const

/**
 * How a page is opened unless a test says otherwise. Ten seconds after a page, the service worker loads all parts of the
 * client, which takes longer than the page itself: tests that need it say so.
 */
const usual: Options = { viewport: viewports.wide, serviceWorkers: 'block' }

/** The test files that run in the same process share a browser, as starting one takes long. Playwright ends it with the process. */
let shared: Promise<Browser> | undefined

function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser().then((browser) => {
    browser.once('disconnected', () => {
      shared = undefined
    })
    return browser
  })
  return shared
}

/**
 * A real browser for the tests of a file; call it once, outside of the tests. It starts with the first page. What the
 * tests opened is closed after the last one.
 */
export function webBrowser() {
  const contexts: BrowserContext[] = []
  let before = 0
  beforeEach(() => {
    before = contexts.length
  })
  afterEach(async ({ task }) => {
    const own = contexts.splice(before)
    if (task.result?.state === 'fail') {
      // A test that opened no context of its own uses those that were opened for all tests.
      const used = own.length > 0 ? own : contexts
      // A server in this process would keep what goes through the console out of the output.
      for (const [i, page] of used.flatMap((context) => context.pages()).entries())
        process.stderr.write(`${task.name}, page ${i + 1}: ${await reportOf(page)}\n`)
    }
    // A page that stays open would go on to show what the other tests of the file do.
    for (const context of own) await context.close()
  })
  afterAll(async () => {
    for (const context of contexts) await context.close()
  })
  return {
    /** Opens the web client in a browser profile of its own, signed in as a user if any; at a view, if `hash` names one. */
    async open(org: Site, user: WebUser | undefined, hash = '', options: Options = {}): Promise<WebPage> {
      const context = await (await sharedBrowser()).newContext({ ...usual, ...options })
      contexts.push(context)
      await noteInputs(context)
      const url = `http://${org.place.host}:${org.place.port}/`
      if (user) await signIn(context, org, user)
      return openPage(context, url + hash)
    },
  }
}

/** A page of the web client, the address of the client without a view, and what went wrong in the page. */
export type WebPage = { page: Page; context: BrowserContext; url: string; problems: string[] }

/** Opens the client in another tab of the same profile. */
export async function openPage(context: BrowserContext, url: string): Promise<WebPage> {
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  await page.goto(url)
  // Messages may be there before the state of the organization, without which keys and menus do nothing.
  await page.locator('main[aria-busy=false], main form').first().waitFor()
  return { page, context, url: url.replace(/#.*/, ''), problems }
}

async function signIn(context: BrowserContext, org: Site, user: WebUser) {
  const cookie = org instanceof Organization ? await org.session(user) : await cookieByPassword(org, user)
  await context.addCookies([
    { ...cookie, domain: org.place.host, path: '/', httpOnly: true, sameSite: 'Lax' },
  ])
}

async function cookieByPassword(org: Site, user: WebUser) {
  const browser = new TestBrowser(org.place)
  expect((await browser.logIn(user.email, user.password)).status).toBe(200)
  const [name = '', value = ''] = browser.cookie?.split('=') ?? []
  return { name, value }
}
