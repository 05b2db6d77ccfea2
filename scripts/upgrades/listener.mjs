// A client that listens through all upgrades, as clients do: it asks its queue for events after the last one it has seen, tries again while
// the server is away, and registers a new queue when the server no longer knows its own.
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../versions.mjs'

/** Begins to listen. `tell` gets a sentence for each message that comes twice or out of order. */
export function listen(api, { authorization }, tell) {
  const ids = new Set()
  const state = { newest: 0, queues: 0, isOver: false }
  const running = follow()
  return {
    /** Ends when it has heard of this message, or has waited for half a minute. */
    async end(last) {
      for (let tries = 0; tries < 300 && state.newest < last; tries++) await sleep(100)
      state.isOver = true
      await running
      return { ids, count: ids.size, queues: state.queues }
    },
  }

  async function follow() {
    let queue
    while (!state.isOver) {
      queue ??= await register()
      const body = queue ? await poll(queue) : undefined
      if (body?.code === 'BAD_EVENT_QUEUE_ID') queue = undefined
      else if (!body) await sleep(100)
      for (const { id, type, message } of body?.events ?? []) {
        queue.last = id
        if (type === 'message' && !queue.known.has(message.id)) hear(message.id)
      }
    }
  }

  /** Registers a queue, and reads the messages that came since the last one. The first versions had no queues. */
  async function register() {
    const form = { event_types: '["message"]' }
    const made = await tryTo('POST', `${api}/register`, form)
    const known = new Set(await readNew())
    if (made?.status !== 200) return undefined
    state.queues++
    return { id: made.body.queue_id, last: made.body.last_event_id, known }
  }

  async function readNew() {
    const found = []
    for (;;) {
      const query = new URLSearchParams({ anchor: state.newest, num_before: 0, num_after: 100, narrow: '[]' })
      const read = await tryTo('GET', `${api}/messages?${query}`)
      const later = (read?.body.messages ?? []).filter(({ id }) => id > state.newest)
      for (const { id } of later) hear(id)
      found.push(...later.map(({ id }) => id))
      if (later.length === 0) return found
    }
  }

  async function poll({ id, last }) {
    const query = new URLSearchParams({
      queue_id: id,
      last_event_id: last,
      ...(state.isOver && { dont_block: 'true' }),
    })
    const polled = await tryTo('GET', `${api}/events?${query}`, undefined, 1_000)
    return polled?.status === 503 ? undefined : polled?.body
  }

  /** Returns undefined while the server is away. */
  async function tryTo(method, url, form, patience = 10_000) {
    const late = sleep(patience, undefined, { ref: false })
    return Promise.race([ask(method, url, authorization, form).catch(() => undefined), late])
  }

  function hear(id) {
    if (ids.has(id)) tell(`The listener heard of message ${id} twice.`)
    else if (id < state.newest) tell(`The listener heard of message ${id} after ${state.newest}.`)
    ids.add(id)
    state.newest = Math.max(state.newest, id)
  }
}
