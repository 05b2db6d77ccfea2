import { expect } from 'vitest'
import { holdWrites } from '../held-writes.ts'
import type { Answer } from '../http.ts'
import { contentsOf, sender } from '../messages.ts'
import { cast, type Organization } from '../organization.ts'
import type { Caller, Person } from '../person.ts'
import type { Node, TestServer } from '../test-server.ts'

/** Two requests that contradict each other or want the same thing. */
type TwoRequests = {
  org: Organization
  requests: readonly [() => Promise<Answer>, () => Promise<Answer>]
  /** What they have led to, as users see it. Ids and times may differ between organizations: leave them out. */
  look(): Promise<unknown>
}

/** Sets them up in an organization of its own. `there`: who sends the second one, at the node where it is sent. */
type Begin = (there: (who: Person) => Person) => Promise<TwoRequests>

/** How many times they are sent concurrently. */
const tries = 3

/**
 * Fails unless two concurrent requests, to two nodes, have the outcome that they have in one order or in the other: in their
 * answers and in what follows. `held`: each also waits for its turn to write behind the other, after it was checked. For that
 * they must be of different callers, and each begins with a write.
 */
export async function expectSomeOrder(node: Node, begin: Begin, { held = true } = {}) {
  const here = (who: Person) => who
  const there = (who: Person) => who.at({ ...who.place, port: node.port })
  const inTurn = await outcome(begin, here, async ([first, second]) => [await first(), await second()])
  const reversed = await outcome(begin, here, async ([first, second]) => {
    const last = await second()
    return [await first(), last]
  })
  for (let i = 0; i < tries; i++) {
    const both = await outcome(begin, there, ([first, second]) => Promise.all([first(), second()]))
    expect([inTurn, reversed]).toContainEqual(both)
  }
  if (!held) return
  expect(await outcome(begin, here, inLine([0, 1]))).toEqual(inTurn)
  expect(await outcome(begin, here, inLine([1, 0]))).toEqual(reversed)
}

type Run = (requests: TwoRequests['requests'], org: Organization) => Promise<readonly [Answer, Answer]>

async function outcome(begin: Begin, there: (who: Person) => Person, run: Run) {
  const { org, requests, look } = await begin(there)
  const answers = await run(requests, org)
  for (const { status, text } of answers) expect(status, text).toBeLessThan(500)
  await org.log.catchUp()
  return { answers: answers.map(told), outcome: await look() }
}

function inLine(order: [0 | 1, 0 | 1]): Run {
  return async (requests, { log }) => {
    const writes = await holdWrites(log)
    const answers: Promise<Answer>[] = []
    for (const place of order) answers[place] = (await writes.add(requests[place])).answer
    await writes.release()
    return [await answers[0]!, await answers[1]!]
  }
}

/** An answer without what differs from one organization to the next. */
function told({ status, body }: Answer): string {
  if (body === undefined) return String(status)
  // A request that was checked before its message was deleted says so in other words than one that comes later.
  const msg = body.msg === 'Message already deleted' ? 'Invalid message(s)' : body.msg
  return `${status} ${body.code ?? ''} ${msg}`.replace(/\d+/g, '#')
}

/** The users that most tests need, and a channel with a message of Anna's. */
export async function talking(server: TestServer) {
  const all = await cast(await server.organization())
  const channel = await all.org.channel({ name: 'talk', subscribers: [all.anna, all.ben, all.admin] })
  const id = await sender(all.anna, channel)('a', 'text')
  return { ...all, channel, id, contents: () => contentsOf(all.org.owner, channel) }
}

/** Two requests among them; `there`: as in expectSomeOrder. */
export type Case = (
  all: Awaited<ReturnType<typeof talking>>,
  there: (who: Person) => Person,
) => Promise<Omit<TwoRequests, 'org'>>

/** Accepts an invitation, or confirms an address. */
export function join(who: Caller, key: string, full_name: string) {
  return who.post(`/rookery/sign_ups/${key}`, { full_name, password: 'swordfish 12' })
}

/** Returns the names of the users who have this address. */
export async function namesOf({ owner }: Organization, email: string): Promise<string[]> {
  const { members } = (await owner.get('/users')).body
  const known = members.filter((one: { delivery_email: string }) => one.delivery_email === email)
  return known.map((one: { full_name: string }) => one.full_name)
}
