import { expect } from 'vitest'
import { applyEvent } from '../src/features/apply.ts'
import { noCapabilities } from '../src/queues/queue.ts'
import type { Answer, Sent } from './http.ts'
import type { Person } from './person.ts'
import { differences } from './random/compare.ts'
import { UnsureMentions } from './random/unsure-mentions.ts'

// biome-ignore lint/suspicious/noExplicitAny: events and states are whatever the wire says
export type Wire = Record<string, any>

/** All client capabilities. */
export const everyCapability = Object.fromEntries(Object.keys(noCapabilities).map((name) => [name, true]))

/** A client of a person: the state that it registered with, and its event queue. */
export class Client {
  /** The response to its registration. */
  readonly state: Wire
  readonly queueId: string
  private readonly person: Person
  private readonly params: Sent
  private readonly heard: Wire[] = []
  private lastEventId: number

  private constructor(person: Person, params: Sent, state: Wire) {
    this.person = person
    this.params = params
    this.state = state
    this.queueId = state.queue_id
    this.lastEventId = state.last_event_id
  }

  static async register(person: Person, params: Sent): Promise<Client> {
    const all = {
      apply_markdown: true,
      include_subscribers: true,
      client_capabilities: everyCapability,
      ...params,
    }
    return new Client(person, all, await register(person, all))
  }

  /** Returns the events since the last call, without waiting. */
  async events(): Promise<Wire[]> {
    const events: Wire[] = []
    for (let more = await this.poll(true); more.length > 0; more = await this.poll(true)) events.push(...more)
    return withoutHeartbeats(events)
  }

  /** Returns the same, except messages. */
  async news(): Promise<Wire[]> {
    return (await this.events()).filter((event) => event.type !== 'message')
  }

  /** Waits for the next events. */
  async next(): Promise<Wire[]> {
    return withoutHeartbeats(await this.poll(false))
  }

  /** Fails unless the registered state, carried forward by all events since, equals that of a new client. */
  async expectStateToMatch() {
    // First, as a node that has registered a client has heard of all that other nodes wrote before.
    const fresh = await register(this.person, this.params)
    await this.events()
    const carried = structuredClone(this.state)
    const unsure = new UnsureMentions()
    for (const event of this.heard) {
      unsure.watch(carried, event, () => apply(carried, event))
    }
    const found = differences(unsure.leftOut(carried), unsure.leftOut(fresh))
    if (found.length === 0) return
    const story = this.heard.map((event) => `  ${JSON.stringify(event).slice(0, 300)}`)
    const lines = found.map((line) => `  ${line}`)
    expect.fail(
      `The events do not lead to the new state:\n${lines.join('\n')}\nThe events were:\n${story.join('\n')}`,
    )
  }

  private async poll(dontBlock: boolean): Promise<Wire[]> {
    const answer = await poll(this.person, this.queueId, this.lastEventId, dontBlock)
    expect(answer.body).toMatchObject({ result: 'success' })
    const events: Wire[] = answer.body.events
    this.lastEventId = events.at(-1)?.id ?? this.lastEventId
    this.heard.push(...withoutHeartbeats(events))
    return events
  }
}

/** Asks for the events of a queue after one of them, by default without waiting for more. */
export function poll(
  person: Person,
  queueId: string,
  lastEventId: number,
  dontBlock = true,
): Promise<Answer> {
  const params = { queue_id: queueId, last_event_id: lastEventId, dont_block: dontBlock }
  return person.get('/events', params)
}

async function register(person: Person, params: Sent): Promise<Wire> {
  const { body } = await person.post('/register', params)
  expect(body).toMatchObject({ result: 'success' })
  return body
}

function withoutHeartbeats(events: Wire[]) {
  return events.filter((event) => event.type !== 'heartbeat')
}

/** Carries a state forward by an event, as a web client does. */
export function apply(state: Wire, event: Wire) {
  if (!applyEvent(state, { ...structuredClone(event), type: event.type }))
    throw new Error(`no event type ${event.type}`)
}
