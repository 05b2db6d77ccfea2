import type { Reader } from '../db/database.ts'
import type { AccountRow } from '../db/schema.ts'
import type { Site } from '../lib/site.ts'
import type { ClientEvent } from '../log/entry.ts'
import type { RealmState } from '../log/realm-state.ts'
import type { ClientState } from './client-state.ts'
import type { Queue } from './queue.ts'

/** The client that an event is shaped for. */
export type Listener = { state: RealmState; me: AccountRow; queue: Queue; site: Site }

/**
 * An event type: its form for each client that receives it, and its effect on a client's state.
 *
 * Listeners with the same `variant` get the very same bytes, so the variant must include everything that `wire` reads
 * from the listener.
 */
export type EventType<Event extends ClientEvent = ClientEvent, Body = unknown, Wire = Event> = {
  type: Event['type']
  /**
   * Returns a key that is the same for clients that receive the same bytes. Without this function, all clients receive the same. Null:
   * this client does not receive the event, even if it is in the audience.
   */
  variant?(event: Event, listener: Listener, body: Body): string | null
  /** The event's wire form, without its id. By default the event as it stands in the log. */
  wire?(event: Event, listener: Listener, body: Body): object
  /**
   * Reads the bodies of events that come from the log, in the order of the events; undefined for an object that was deleted, or
   * belongs to another user now.
   */
  bodies?(read: Reader, state: RealmState, events: Event[]): Promise<(Body | undefined)[]>
  /** Returns roughly how many bytes these bodies take. Where it is absent, they are small. */
  sizes?(read: Reader, state: RealmState, events: Event[]): Promise<number[]>
  /** The ids of the messages that its body is made of. */
  about?(event: Event): number[]
  /** The ids of the messages that it has changed, moved or deleted: earlier events about them read their bodies again. */
  changes?(event: Event): number[]
  /** Whether the queue's narrow lets it pass; asked only if the queue has one. By default it does. */
  passesNarrow?(event: Event, listener: Listener, body: Body): boolean
  /** Applies the wire event to a client's state: the fields of the response of POST /register. */
  apply: (state: ClientState, event: Wire) => void
}

export class EventTypes {
  private readonly types = new Map<string, EventType>()

  add(...types: { type: string; apply: unknown }[]) {
    for (const type of types) this.types.set(type.type, type as EventType)
  }

  get(type: string): EventType | undefined {
    return this.types.get(type)
  }
}
