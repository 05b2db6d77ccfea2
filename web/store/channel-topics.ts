import { createEffect, createSignal, on, onCleanup } from 'solid-js'
import { get, untilDone } from '../api/client.ts'
import type { WireEvent } from '../api/stream.ts'
import { namesMatch } from '../lib/same-name.ts'
import type { Message } from './messages.ts'
import { field } from './server-state.ts'
import { onEvents } from './session.ts'

/** A topic, and the id of its newest message. */
export type Topic = { name: string; max_id: number }

/** For how many topics the times of the newest messages are read, and how many one request asks for. */
const timedAtMost = 1000
const perRequest = 200

/** The topics of a channel as long as the caller is shown, the newest first: read once, and changed by events. */
export function createChannelTopics(channelId: () => number) {
  const [topics, setTopics] = createSignal<Topic[]>()
  const { timeOf, addTimes, readTimes } = createTimes()
  const reading = againWhenStale(readOnce)

  async function readOnce() {
    const id = channelId()
    const found = await untilDone(() =>
      get<{ topics: Topic[] }>(`/users/me/${id}/topics`, { allow_empty_topic_name: true }),
    )
    if (id !== channelId()) return
    setTopics(found.topics)
    await readTimes(found.topics.slice(0, timedAtMost))
  }

  function follow(event: WireEvent) {
    if (changesTopics(event, channelId())) void reading.run()
    if (event.type !== 'message') return
    const message = event.message as Message
    if (message.stream_id !== channelId()) return
    addTimes([message])
    setTopics((all) => all && withMessage(all, message))
    reading.makeStale()
  }

  // Anew after registering anew, as events may have been missed.
  createEffect(on([channelId, () => field('queue_id')], () => void reading.run()))
  onCleanup(onEvents((events) => events.forEach(follow)))
  return { topics, timeOf, read: reading.run }
}

/** When the newest messages of topics were sent. */
function createTimes() {
  const [times, setTimes] = createSignal<ReadonlyMap<number, number>>(new Map())
  const addTimes = (all: Pick<Message, 'id' | 'timestamp'>[]) =>
    setTimes((before) => new Map([...before, ...all.map((one) => [one.id, one.timestamp] as const)]))
  async function readTimes(topics: Topic[]) {
    const ids = topics.map(({ max_id }) => max_id).filter((id) => !times().has(id))
    for (let i = 0; i < ids.length; i += perRequest) {
      const params = { message_ids: ids.slice(i, i + perRequest), client_gravatar: false }
      addTimes((await get<{ messages: Message[] }>('/messages', params)).messages)
    }
  }
  return { timeOf: (topic: Topic) => times().get(topic.max_id), addTimes, readTimes }
}

/** Reads one at a time. What comes during a request may be missing in its answer, so `read` runs again after that one. */
function againWhenStale(read: () => Promise<void>) {
  let isReading = false
  let isStale = false
  let hasEnded = false
  onCleanup(() => {
    hasEnded = true
  })
  async function run() {
    isStale = true
    if (isReading) return
    isReading = true
    while (isStale && !hasEnded) {
      isStale = false
      await read().catch(() => {})
    }
    isReading = false
  }
  const makeStale = () => {
    isStale = true
  }
  return { run, makeStale }
}

/** Whether an event moves messages into the channel, within it or out of it, or deletes some. */
function changesTopics(event: WireEvent, channelId: number): boolean {
  const { type, stream_id, new_stream_id, subject } = event
  if (type === 'delete_message') return stream_id === channelId
  const isMove = type === 'update_message' && (subject !== undefined || new_stream_id !== undefined)
  return isMove && (stream_id === channelId || new_stream_id === channelId)
}

function withMessage(all: Topic[], { id, subject }: Message): Topic[] {
  const isIts = ({ name }: Topic) => namesMatch(name, subject)
  const before = all.find(isIts)
  if (before && before.max_id >= id) return all
  return [{ name: before?.name ?? subject, max_id: id }, ...all.filter((one) => !isIts(one))]
}
