import type { Reader } from '../db/database.ts'
import type { AccountRow } from '../db/schema.ts'
import type { Site } from '../lib/site.ts'
import type { ClientEvent } from '../log/entry.ts'
import type { RealmState } from '../log/realm-state.ts'
import type { Queue } from './queue.ts'

/** Whoever an event is shaped for. */
export type Listener = { state: RealmState; me: AccountRow; queue: Queue; site: Site }

/**
 * An event type: how it looks to each client that hears it, and what it does to a client's state.
 *
 * Listeners with the same `variant` get the very same bytes, so the variant must name everything that `wire` reads of
 * the listener.
 */
export type EventType<Event extends ClientEvent = ClientEvent, Body = unknown> = {
  type: Event['type']
  /** Undefined in the declaration: all see the same. Null in the answer: this client is not told. */
  variant?(event: Event, listener: Listener, body: Body): string | null
  /** The event's wire form, without its id. By default the event as it stands in the log. */
  wire?(event: Event, listener: Listener, body: Body): object
  /** Reads again, for replay, what the events refer to; undefined for what is gone or has become another's. */
  bodies?(read: Reader, state: RealmState, events: Event[]): Promise<(Body | undefined)[]>
  /** The messages that its body is made of. */
  about?(event: Event): number[]
  /** The messages that it has changed, moved or deleted: earlier events about them read their bodies again. */
  changes?(event: Event): number[]
  /** Whether the queue's narrow lets it pass; asked only if the queue has one. By default it does. */
  passesNarrow?(event: Event, listener: Listener, body: Body): boolean
  /** Carries a client's state (the answer of POST /register, by name of its fields) forward by the wire event. */
  apply(state: ClientState, event: never): void
}

/** What a client holds: the fields of the answer of POST /register. */
// biome-ignore lint/suspicious/noExplicitAny: it is whatever the wire says
export type ClientState = Record<string, any>

export class EventTypes {
  private readonly types = new Map<string, EventType>()

  add(...types: { type: string; apply: unknown }[]) {
    for (const type of types) this.types.set(type.type, type as EventType)
  }

  get(type: string): EventType | undefined {
    return this.types.get(type)
  }
}
