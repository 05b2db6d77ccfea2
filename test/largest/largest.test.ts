import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sent } from '../http.ts'
import { filledPath, type Operation, operations } from '../random/operations.ts'
import { randomFrom, seedOfRun } from '../random/random.ts'
import { effort } from '../runner/effort.ts'
import { heavyRequests } from './heavy.ts'
import { type LargeOrganization, largeOrganization, owners } from './organization.ts'
import { type Answered, type Effect, Others, type Request, requestOf } from './others.ts'
import { largestRequests } from './requests.ts'

// No single request holds up others, however large: neither the event loop nor the organization's turn to write. The
// measures are ratios to what is usual on the same machine, and a request fails only if it exceeds the limit every time.

/** The most that one request may delay others, as a ratio. Without limits, some delayed them several thousand times. */
const most: Effect = { loop: 15, wait: 250 }
const tries = 3

/** These wait for something, or end the organization. */
const leftOut = ['GET /events', 'POST /realm/deactivate']

let org: LargeOrganization
let others: Others

beforeAll(async () => {
  org = await largeOrganization()
  others = await Others.begin(org)
}, 180_000)

afterAll(async () => {
  await others?.end()
  await org?.drop()
})

test('requests about very much leave time to others', { timeout: 300_000 }, async () => {
  const slow: string[] = []
  for (const { name, method, path, params, user = 0 } of heavyRequests(org)) {
    const request = requestOf(method, path, params, user)
    let answer: Answered | undefined
    // Most of them do something else when they come again, so they have one try, and twice as much.
    const effect = await others.during(async () => {
      answer = await others.send(request)
    })
    report(name, effect, answer!)
    expect(answer, name).toMatchObject({ status: 200 })
    if (isTooMuch(effect, 2)) slow.push(`${name}: ${JSON.stringify(effect)}`)
  }
  expect(slow).toEqual([])
})

test('so does every operation, with as much as its declaration allows; TEST_EFFORT=1 tries them all', {
  timeout: 600_000,
}, async () => {
  const slow: string[] = []
  const random = randomFrom(seedOfRun('largest'))
  const some = inOrder(operations()).filter(() => random() < effort)
  for (const [i, operation] of some.entries()) {
    const name = `${operation.method} ${operation.path}`
    const requests = largestRequests(operation.declared, org.existing).flatMap((sent) =>
      toSend(operation, sent, i % owners),
    )
    const all = await others.during(() => sendAll(name, requests))
    if (!isTooMuch(all)) continue
    for (const request of requests) {
      const effect = await leastOf(() => others.during(() => sendAll(name, [request])))
      if (isTooMuch(effect)) slow.push(`${name} ${request.body.slice(0, 200)}: ${JSON.stringify(effect)}`)
    }
  }
  expect(slow).toEqual([])
})

function isTooMuch({ loop, wait }: Effect, factor = 1) {
  return loop > factor * most.loop || wait > factor * most.wait
}

/** A request that is slow each time is slow by itself, not because of what else this machine does. */
async function leastOf(measure: () => Promise<Effect>): Promise<Effect> {
  let least = await measure()
  for (let i = 1; i < tries && isTooMuch(least); i++) {
    const { loop, wait } = await measure()
    least = { loop: Math.min(least.loop, loop), wait: Math.min(least.wait, wait) }
  }
  return least
}

async function sendAll(name: string, requests: Request[]) {
  for (const request of requests) {
    const { status, text } = await others.send(request)
    expect(status, `${name} ${request.body.slice(0, 300)}\n${text}`).toBeLessThan(500)
  }
}

/** Reading first; what removes things comes last. */
function inOrder(all: Operation[]): Operation[] {
  const methods = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE']
  return all
    .filter(({ method, path, isRoot }) => !isRoot && !leftOut.includes(`${method} ${path}`))
    .sort((a, b) => methods.indexOf(a.method) - methods.indexOf(b.method))
}

/** The longest addresses are shorter than the longest bodies. */
const longestAddress = 30_000

function toSend(operation: Operation, sent: Record<string, string>, user: number): Request[] {
  const inPath = new Set(operation.declared.filter((param) => param.inPath).map(({ name }) => name))
  const fields: Sent = Object.fromEntries(Object.entries(sent).filter(([name]) => !inPath.has(name)))
  const request = requestOf(operation.method, filledPath(operation, sent), fields, user)
  return request.path.length > longestAddress ? [] : [request]
}

/** LARGEST_REPORT=1 tells how far each is from what is too much. */
function report(name: string, { loop, wait }: Effect, { status, text }: Answered) {
  if (!process.env.LARGEST_REPORT) return
  const refused = status === 200 ? '' : text
  process.stdout.write(`${name}: loop ${loop.toFixed(1)}, wait ${wait.toFixed(1)}, ${status} ${refused}\n`)
}
