import { ByteBudget } from '../../../lib/collections/byte-budget.ts'
import { memoizePer } from '../../../lib/collections/memoize-per.ts'
import { type Chunk, type SharedChunk, sharedChunk } from '../../../lib/gzip/gzip-chunks.ts'
import type { ShapedEvent } from '../../../queues/queue.ts'
import type { RealmQueues } from '../../../queues/realm-queues.ts'
import { eventRequestLimits } from '../kernel/events/limits.ts'

const { sharedEventsFrom, sharedEventBytes, sharedEventBytesOfNode } = eventRequestLimits

/** `text`: undefined until the list is asked for again. */
type Shared = { key: string; text: SharedChunk | undefined }

/** The bytes that a list takes besides its key and its text. */
const bytesOfList = 512

const budget = new ByteBudget<Shared>(sharedEventBytesOfNode, sharedEventBytes)

/** The lists of events that several clients of an organization got alike. */
const sharedOf = memoizePer<RealmQueues, SharedEvents>(() => new SharedEvents())

/**
 * Returns the JSON of events, without brackets. Clients that return at the same moment often get the same many events: from the second
 * time on, these are one text, which is encoded and compressed once.
 */
export function textOfEvents(queues: RealmQueues, events: ShapedEvent[]): Chunk {
  const size = events.reduce((sum, { json }) => sum + json.length, 0)
  const shared = size < sharedEventsFrom ? undefined : sharedOf(queues).get(events)
  return shared ?? textOf(events)
}

const textOf = (events: ShapedEvent[]) => events.map(({ json }) => json).join()

class SharedEvents {
  private readonly lists = new Map<string, Shared>()
  private readonly share = budget.share((list) => this.end(list))

  /** Returns the text of these events, if it has been asked for before. */
  get(events: ShapedEvent[]): SharedChunk | undefined {
    // An event that is made again, with another text, has another number.
    const key = events.map(({ number }) => number).join()
    const known = this.lists.get(key)
    if (!known) {
      this.begin(key)
      return undefined
    }
    this.share.use(known)
    known.text ??= this.keep(known, sharedChunk(textOf(events)))
    return known.text
  }

  private begin(key: string) {
    const list = { key, text: undefined }
    this.lists.set(key, list)
    this.share.grow(list, bytesOfList + key.length)
  }

  private keep(list: Shared, text: SharedChunk): SharedChunk {
    // Compressed, it takes at most as much again.
    this.share.grow(list, 2 * text.size)
    return text
  }

  private end(list: Shared) {
    this.lists.delete(list.key)
    this.share.remove(list)
  }
}
