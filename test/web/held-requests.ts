import type { Page, Route } from 'playwright-core'

/** Keeps requests of a path waiting; returns what lets them go on, refuses them or cuts them off, and how many have come. */
export async function holdRequests(page: Page, path: string | RegExp) {
  const held: Route[] = []
  await page.route(path, (route) => void held.push(route))
  return {
    count: () => held.length,
    pass: () => held.splice(0).forEach((route) => void route.continue()),
    refuse: () => held.splice(0).forEach(refuse),
    cut: () => held.splice(0).forEach((route) => void route.abort()),
  }
}

const refuse = (route: Route) =>
  void route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Enough for a day' } })
