import { batch } from 'solid-js'
import { get, type Params, untilDone } from '../api/client.ts'
import type { WireEvent } from '../api/stream.ts'
import type { Term } from '../lib/route.ts'
import { type Message, putMessage } from './messages.ts'

type Found = { messages: Message[] }
type Fold = (events: WireEvent[]) => void

/** For each request that is under way, the events that came since it was sent. */
const underWay = new Set<WireEvent[]>()

let fold: Fold = () => {}

/** Says how events change what was read. fold-messages.ts does: it uses this file, which so cannot import it. */
export function setFold(fn: Fold) {
  fold = fn
}

/** To be called with all events as they come. */
export function noteEvents(events: WireEvent[]) {
  for (const meanwhile of underWay) meanwhile.push(...events)
}

/**
 * Reads messages, and lets `take` do with the answer what the caller wants. The answer may be older than the events that
 * came while it was under way, so they are folded again afterwards: folding an event twice is the same as folding it once.
 */
export async function readMessages<T extends Found>(params: Params, take: (found: T) => void): Promise<void> {
  const meanwhile: WireEvent[] = []
  underWay.add(meanwhile)
  const found = await untilDone(() => get<T>('/messages', params)).finally(() => underWay.delete(meanwhile))
  batch(() => {
    for (const one of found.messages) putMessage(one)
    take(found)
    fold(meanwhile)
  })
}

/** Reads messages by their ids: those that the user has received, or those that match a narrow. */
export function readByIds(ids: number[], take: (found: Found) => void, narrow: Term[] = []) {
  return readMessages(
    {
      message_ids: ids,
      narrow: JSON.stringify(narrow),
      client_gravatar: false,
      allow_empty_topic_name: true,
    },
    take,
  )
}
