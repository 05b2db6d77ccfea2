import type { BrowserContext, Page, Route } from 'playwright-core'
import { expect } from 'vitest'

/** Keeps requests of a path waiting; returns what lets them go on, refuses them or cuts them off, and how many have come. */
export async function holdRequests(page: Page, path: string | RegExp) {
  const held: Route[] = []
  // A file of the client is fetched, and then imported. The browser has it by then, unless its requests are routed.
  const files = new Set<string>()
  const pass = (route: Route) => {
    const url = route.request().url()
    if (url.includes('/assets/')) files.add(url)
    void route.continue()
  }
  await page.route(path, (route) => (files.has(route.request().url()) ? pass(route) : void held.push(route)))
  return {
    count: () => held.length,
    pass: () => held.splice(0).forEach(pass),
    refuse: () => held.splice(0).forEach(refuse),
    cut: () => held.splice(0).forEach((route) => void route.abort()),
  }
}

/**
 * Lets pages that are loaded from now on keep the events of a type waiting, from `hold` on, and with them those that follow.
 * `pass` lets one of them go on, `free` all.
 */
export async function holdEvents(context: BrowserContext, type: string) {
  await context.addInitScript(`{
    const { fetch } = window
    window.heldEvents = { isHeld: false, passes: [] }
    const isOfType = (part) => new TextDecoder().decode(part).includes('"type":"${type}"')
    const transform = async (part, stream) => {
      if (heldEvents.isHeld && isOfType(part)) await new Promise((pass) => heldEvents.passes.push(pass))
      stream.enqueue(part)
    }
    window.fetch = async (...request) => {
      const answer = await fetch(...request)
      if (!answer.headers.get('content-type')?.includes('event-stream')) return answer
      return new Response(answer.body.pipeThrough(new TransformStream({ transform })))
    }
  }`)
  return {
    hold: (page: Page) => page.evaluate('heldEvents.isHeld = true'),
    async pass(page: Page) {
      await expect.poll(() => page.evaluate('heldEvents.passes.length')).toBe(1)
      await page.evaluate('heldEvents.passes.shift()()')
    },
    free: (page: Page) => page.evaluate('heldEvents.isHeld = false; heldEvents.passes.shift()?.()'),
  }
}

const refuse = (route: Route) =>
  void route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Enough for a day' } })
