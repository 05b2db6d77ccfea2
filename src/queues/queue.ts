import type { RealmState } from '../log/realm-state.ts'

/** A client's capabilities, from its registration. Unknown ones are ignored. */
export type Capabilities = {
  notification_settings_null: boolean
  bulk_message_deletion: boolean
  user_avatar_url_field_optional: boolean
  stream_typing_notifications: boolean
  user_settings_object: boolean
  linkifier_url_template: boolean
  user_list_incomplete: boolean
  include_deactivated_groups: boolean
  archived_channels: boolean
  empty_topic_name: boolean
}

/** The capabilities of a client that states none. */
export const noCapabilities: Capabilities = {
  notification_settings_null: false,
  bulk_message_deletion: false,
  user_avatar_url_field_optional: false,
  stream_typing_notifications: false,
  user_settings_object: false,
  linkifier_url_template: false,
  user_list_incomplete: false,
  include_deactivated_groups: false,
  archived_channels: false,
  empty_topic_name: false,
}

/** A client's options for its queue, fixed at registration and durable. */
export type QueueOptions = {
  eventTypes: string[] | null // null: all
  narrow: [operator: string, operand: string][]
  allPublicChannels: boolean
  applyMarkdown: boolean
  clientGravatar: boolean
  slimPresence: boolean
  capabilities: Capabilities
}

/**
 * An event queue: a cursor over the log. It holds no events, so an unread queue costs the same however long it is left.
 */
export type Queue = {
  readonly id: string
  readonly realmId: number
  readonly userId: number
  readonly options: QueueOptions
  /** The epoch of the log in which it was made: in another one, it has ended. */
  readonly epoch: string
  readonly createdAt: number
  /** The log position of the state that its registration returned. */
  readonly startedAt: number
  /** The client has acknowledged everything up to this number. */
  acknowledged: number
  /** Nothing between `acknowledged` and this number, which is not lower, concerns this queue. */
  reached: number
  /**
   * The last id that the client named, if it was beyond the end of the log. If the client names it again when the log has grown that
   * far, the queue ends.
   */
  refused?: number | undefined
  lastPolledAt: number
}

/** The position of the log at which a new queue begins. */
export type StartOfQueue = Pick<RealmState, 'position' | 'epoch'>

let lastNumber = 0

/** An event in the shape that clients of one variant receive. They may be thousands, so its frame is made only once. */
export class ShapedEvent {
  /** Unique in this process, so that lists of events can be compared by numbers. */
  readonly number = ++lastNumber
  readonly id: number
  readonly json: string
  private frame: string | undefined

  constructor(id: number, json: string) {
    this.id = id
    this.json = json
  }

  /** The event as one of a stream of server-sent events. */
  get asFrame(): string {
    this.frame ??= `id: ${this.id}\ndata: ${this.json}\n\n`
    return this.frame
  }

  /** Roughly how many bytes it takes in memory, with its frame. */
  get size(): number {
    return 2 * bytesOfText(this.json)
  }
}

/** Returns how many bytes a text takes in memory at most: one for each character if all are ASCII, otherwise two. */
export function bytesOfText(text: string): number {
  return Buffer.byteLength(text) === text.length ? text.length : 2 * text.length
}

/** Whether a queue asked for events of this type. */
export function wants(queue: Queue, type: string) {
  return queue.options.eventTypes === null || queue.options.eventTypes.includes(type)
}
