import { type Accessor, createEffect, createSignal, onCleanup } from 'solid-js'
import { get, untilDone } from '../api/client.ts'
import type { WireEvent } from '../api/stream.ts'
import { currentState, field } from './server-state.ts'
import { onEvents } from './session.ts'

type Subscribers = {
  /** Undefined until they are loaded. */
  ids: Accessor<ReadonlySet<number> | undefined>
  failure: Accessor<Error | undefined>
}

/** The subscribers of a channel, if one is named, kept up by events as long as the caller is shown. */
export function useSubscribers(channelId: Accessor<number | undefined>): Subscribers {
  const [ids, setIds] = createSignal<ReadonlySet<number>>()
  const [failure, setFailure] = createSignal<Error>()
  /** Events that came while the request was under way: its answer may be older than they are. */
  let early: WireEvent[] = []
  let generation = 0
  createEffect(() => {
    // Anew after registering anew, as events may have been missed.
    field('queue_id')
    void load(channelId())
  })
  async function load(id: number | undefined) {
    const own = ++generation
    early = []
    setIds(undefined)
    setFailure(undefined)
    if (id === undefined) return
    try {
      const { subscribers } = await untilDone(() => get<{ subscribers: number[] }>(`/streams/${id}/members`))
      if (own === generation) setIds(afterAll(early, id, new Set(subscribers)))
    } catch (error) {
      if (own === generation) setFailure(error as Error)
    }
  }
  onCleanup(
    onEvents((events) => {
      const changes = events.filter(({ type }) => type === 'subscription')
      if (changes.length === 0) return
      if (!ids()) {
        if (!failure()) early.push(...changes)
      } else setIds((all) => afterAll(changes, channelId() ?? 0, all ?? new Set()))
    }),
  )
  return { ids, failure }
}

type Change = {
  op: string
  stream_ids?: number[]
  user_ids?: number[]
  subscriptions?: { stream_id: number }[]
}

/** The subscribers of a channel after events; the same set if none concerns them. */
function afterAll(events: WireEvent[], channelId: number, before: ReadonlySet<number>): ReadonlySet<number> {
  let ids = before
  for (const event of events) ids = after(event, channelId, ids)
  return ids
}

function after(event: WireEvent, channelId: number, ids: ReadonlySet<number>): ReadonlySet<number> {
  const { op, stream_ids = [], user_ids = [], subscriptions = [] } = event as unknown as Change
  const isOwn = subscriptions.some(({ stream_id }) => stream_id === channelId)
  const users = isOwn ? [currentState().user_id] : stream_ids.includes(channelId) ? user_ids : []
  if (users.length === 0) return ids
  const next = new Set(ids)
  for (const id of users) {
    if (op === 'add' || op === 'peer_add') next.add(id)
    if (op === 'remove' || op === 'peer_remove') next.delete(id)
  }
  return next
}
