import type { Component } from '../lib/component.ts'
import type { Siblings } from '../lib/siblings.ts'
import { answeringWorkers, type Metrics, type MetricsParts } from './metrics.ts'

const topic = 'metrics'
const failureTopic = 'failure of a component'

/** The worker that counts what fails in the primary, which has no metrics of its own. */
const counter = 1

/** Seconds after which a worker that does not answer is left out. */
const patienceSeconds = 7

/** Lets the other processes of this server read the metrics of this worker. */
export function shareMetrics(siblings: Siblings, metrics: Metrics) {
  siblings.hear(topic, () => metrics.parts())
  siblings.hear(failureTopic, (component: Component) => metrics.failed(component))
}

/** Has a worker count that a component failed in the primary. */
export function countFailure(siblings: Siblings, component: Component) {
  siblings.tell(failureTopic, component, counter)
}

/** Returns the metrics of all workers, those of each with its number; for the asker, its own as well. */
export async function metricsOfAll(siblings: Siblings, own?: Metrics): Promise<string> {
  const numbers = Array.from({ length: siblings.count }, (_, i) => i + 1)
  const asked = numbers.map((number) => {
    if (own && number === siblings.own) return own.parts()
    return siblings.ask<MetricsParts>(number, topic, null, patienceSeconds).catch(() => undefined)
  })
  const parts = (await Promise.all(asked)).filter((part) => part !== undefined)
  // All read the same, except for a database that has not answered one of them in time.
  const fullest = parts.toSorted((a, b) => b.databases - a.databases)[0]
  const database = fullest?.database ?? ''
  return joinPages(parts.map(({ node }) => node)) + database + answeringWorkers(parts.length)
}

/** Joins pages, so that the samples of a metric stand together below its description. */
function joinPages(pages: string[]): string {
  const samples = new Map<string, string[]>()
  for (const block of pages.flatMap((page) => page.split(/^(?=# HELP )/m))) {
    const lines = block.split('\n').filter((line) => line !== '')
    const head = lines.slice(0, 2).join('\n')
    const known = samples.get(head)
    if (known) known.push(...lines.slice(2))
    else samples.set(head, lines.slice(2))
  }
  return [...samples].map(([head, lines]) => `${[head, ...lines].join('\n')}\n\n`).join('')
}
