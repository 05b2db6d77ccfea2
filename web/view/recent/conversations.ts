import { batch, createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js'
import { get, untilDone } from '../../api/client.ts'
import type { WireEvent } from '../../api/stream.ts'
import { type Conversation, conversationKey } from '../../lib/route.ts'
import { channelOf } from '../../store/channels.ts'
import { conversationOfMessage, type Message } from '../../store/messages.ts'
import { field } from '../../store/server-state.ts'
import { onEvents } from '../../store/session.ts'
import { noticeFailure } from '../parts/notices.tsx'

/** How many messages one request looks at. */
const page = 500
/** How many messages are kept: the newest. */
const keptAtMost = 10_000

/** A conversation with its last message; those who wrote in it, the last ones first. */
export type Row = { conversation: Conversation; at: number; people: number[] }

type Page = { messages: Message[]; found_oldest: boolean }

/** The fields that are kept of a message. There may be thousands, so the content is not kept. */
type Known = Pick<Message, 'id' | 'sender_id' | 'timestamp' | 'type' | 'subject' | 'display_recipient'> & {
  stream_id?: number | undefined
}

/** The conversations by their last messages, the newest first. */
export function useConversations() {
  const { messages, isWhole, isLoading, load } = useMessages()
  return {
    rows: createMemo(() => rowsOf(messages())),
    isReady: () => messages() !== undefined,
    /** Whether `loadOlder` would help: there are older messages and room for them, or the first request failed. */
    hasOlder: () => {
      const all = messages()
      return all ? !isWhole() && all.size < keptAtMost : !isLoading()
    },
    isLoading,
    loadOlder: () => void (isLoading() || load(messages())),
  }
}

/** The messages of which the list is made: the newest, older ones on request, and those that come. */
function useMessages() {
  // The map is changed in place, as it may be large.
  const [messages, setMessages] = createSignal<Map<number, Known> | undefined>(undefined, { equals: false })
  const [isWhole, setWhole] = createSignal(false)
  const [isLoading, setLoading] = createSignal(false)
  /** Events that came while a request was under way: its answer may be older than they are. */
  let meanwhile: WireEvent[] = []
  let generation = 0

  /** Adds the page before some messages, or begins anew with the newest page. */
  async function load(before?: Map<number, Known>) {
    const own = ++generation
    meanwhile = []
    setLoading(true)
    try {
      const found = await pageBefore(before)
      if (own !== generation) return
      const all = withPage(before, found.messages, meanwhile)
      batch(() => {
        setWhole(found.found_oldest)
        setMessages(withinLimit(all))
      })
    } catch (error) {
      if (own !== generation) return
      // Messages from before a new beginning may have changed unnoticed.
      if (!before) setMessages(undefined)
      noticeFailure(error)
    } finally {
      if (own === generation) setLoading(false)
    }
  }

  // Anew after registering anew, as events may have been missed.
  const queue = () => field('queue_id')
  createEffect(on(queue, () => void load()))
  onCleanup(
    onEvents((events) => {
      const changes = events.filter(({ type }) => folded.has(type))
      if (isLoading()) meanwhile.push(...changes)
      const all = messages()
      if (!all || changes.length === 0) return
      for (const event of changes) fold(all, event)
      if (all.size > keptAtMost) setWhole(false)
      setMessages(withinLimit(all))
    }),
  )
  return { messages, isWhole, isLoading, load }
}

function pageBefore(all: Map<number, Known> | undefined): Promise<Page> {
  const anchor = all && all.size > 0 ? String(oldestOf(all)) : 'newest'
  return untilDone(() =>
    get<Page>('/messages', {
      narrow: [],
      anchor,
      include_anchor: false,
      num_before: page,
      num_after: 0,
      apply_markdown: true,
      client_gravatar: false,
      allow_empty_topic_name: true,
    }),
  )
}

function oldestOf(all: Map<number, Known>) {
  return [...all.keys()].reduce((a, b) => Math.min(a, b))
}

function withPage(before: Map<number, Known> | undefined, added: Message[], events: WireEvent[]) {
  const all = before ?? new Map<number, Known>()
  for (const one of added) put(all, one)
  for (const event of events) fold(all, event)
  return all
}

const folded = new Set(['message', 'delete_message', 'update_message'])

/** Changes messages by an event. */
function fold(all: Map<number, Known>, event: WireEvent) {
  if (event.type === 'message') put(all, event.message as Message)
  if (event.type === 'delete_message') for (const id of idsIn(event)) all.delete(id)
  if (event.type === 'update_message') move(all, event)
}

function put(all: Map<number, Known>, message: Message) {
  const { id, sender_id, timestamp, type, stream_id, subject, display_recipient } = message
  all.set(id, { id, sender_id, timestamp, type, stream_id, subject, display_recipient })
}

/** Removes the oldest messages beyond the limit. */
function withinLimit(all: Map<number, Known>) {
  if (all.size <= keptAtMost) return all
  const oldest = [...all.keys()].sort((a, b) => b - a).slice(keptAtMost)
  for (const id of oldest) all.delete(id)
  return all
}

function idsIn({ message_ids, message_id }: WireEvent): number[] {
  return (message_ids as number[] | undefined) ?? [message_id as number]
}

/** Carries out an event that may have moved messages to another topic or channel. */
function move(all: Map<number, Known>, event: WireEvent) {
  const { subject, new_stream_id } = event as unknown as { subject?: string; new_stream_id?: number }
  if (subject === undefined && new_stream_id === undefined) return
  for (const id of event.message_ids as number[]) {
    const one = all.get(id)
    if (one)
      all.set(id, { ...one, subject: subject ?? one.subject, stream_id: new_stream_id ?? one.stream_id })
  }
}

function rowsOf(messages: Map<number, Known> | undefined): Row[] {
  const rows = new Map<string, Row>()
  for (const message of [...(messages?.values() ?? [])].sort((a, b) => b.id - a.id)) {
    const conversation = conversationOfMessage(message as Message)
    // The user may have lost the channel.
    if ('channelId' in conversation && !channelOf(conversation.channelId)) continue
    const key = conversationKey(conversation)
    const row = rows.get(key) ?? { conversation, at: message.timestamp, people: [] }
    if (!row.people.includes(message.sender_id)) row.people.push(message.sender_id)
    rows.set(key, row)
  }
  return [...rows.values()]
}
