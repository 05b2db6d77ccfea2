import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string; nodes: { html: string }[] }

/** Returns the serious faults of accessibility of what a page shows. */
export async function violations(page: Page): Promise<string[]> {
  // Once for each page that is loaded: it takes as long as a run. The content security policy of the page does not bind what
  // the browser's own tools run.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
  const found = await page.evaluate<Violation[]>('axe.run().then((result) => result.violations)')
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}
