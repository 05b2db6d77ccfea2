import { createSignal, onCleanup, onMount } from 'solid-js'
import { get, untilDone } from '../../api/client.ts'
import type { WireEvent } from '../../api/stream.ts'
import { type Conversation, conversationKey } from '../../lib/route.ts'
import { conversationOfMessage, type Message } from '../../store/messages.ts'
import { onEvents } from '../../store/session.ts'

/** How many messages one request looks at. */
const page = 500

/** A conversation with its last message; those who wrote in it, the last ones first. */
export type Row = { conversation: Conversation; at: number; people: number[] }

type Page = { messages: Message[]; found_oldest: boolean }

/** What is known of a message; without its content, as there may be thousands. */
type Known = Pick<Message, 'id' | 'sender_id' | 'timestamp' | 'type' | 'subject' | 'display_recipient'> & {
  stream_id?: number | undefined
}

/** The messages of which the list of conversations is made: the newest, older ones on request, and those that come. */
export function useConversations() {
  const [messages, setMessages] = createSignal<Map<number, Known>>()
  const [isWhole, setWhole] = createSignal(false)
  const [isLoading, setLoading] = createSignal(false)
  /** Events that came while the first request was under way. */
  let early: WireEvent[] = []

  async function loadOlder() {
    if (isLoading()) return
    setLoading(true)
    const before = messages()
    try {
      const oldest = before && [...before.keys()].reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
      const found = await untilDone(() =>
        get<Page>('/messages', {
          narrow: [],
          anchor: oldest === undefined || oldest === Number.POSITIVE_INFINITY ? 'newest' : String(oldest),
          include_anchor: false,
          num_before: page,
          num_after: 0,
          apply_markdown: true,
          client_gravatar: false,
          allow_empty_topic_name: true,
        }),
      )
      setWhole(found.found_oldest)
      setMessages((all) => merged(all, found.messages))
      for (const event of early) fold(event)
      early = []
    } finally {
      setLoading(false)
    }
  }

  function fold(event: WireEvent) {
    if (!messages()) {
      early.push(event)
      return
    }
    if (event.type === 'message') setMessages((all) => merged(all, [event.message as Message]))
    if (event.type === 'delete_message') setMessages((all) => without(all, idsIn(event)))
    if (event.type === 'update_message') setMessages((all) => moved(all, event))
  }

  onMount(() => void loadOlder())
  onCleanup(onEvents((events) => events.forEach(fold)))
  return {
    rows: () => rowsOf(messages()),
    isReady: () => messages() !== undefined,
    isWhole,
    isLoading,
    loadOlder,
  }
}

function merged(all: Map<number, Known> | undefined, added: Message[]) {
  const next = new Map(all)
  for (const { id, sender_id, timestamp, type, stream_id, subject, display_recipient } of added)
    next.set(id, { id, sender_id, timestamp, type, stream_id, subject, display_recipient })
  return next
}

function idsIn({ message_ids, message_id }: WireEvent): number[] {
  return (message_ids as number[] | undefined) ?? [message_id as number]
}

function without(all: Map<number, Known> | undefined, gone: number[]) {
  const next = new Map(all)
  for (const id of gone) next.delete(id)
  return next
}

/** The messages after an event that may have moved some to another topic or channel. */
function moved(all: Map<number, Known> | undefined, event: WireEvent) {
  const { subject, new_stream_id } = event as unknown as { subject?: string; new_stream_id?: number }
  if (subject === undefined && new_stream_id === undefined) return all
  const next = new Map(all)
  for (const id of event.message_ids as number[]) {
    const one = next.get(id)
    if (one)
      next.set(id, { ...one, subject: subject ?? one.subject, stream_id: new_stream_id ?? one.stream_id })
  }
  return next
}

function rowsOf(messages: Map<number, Known> | undefined): Row[] {
  const rows = new Map<string, Row>()
  for (const message of [...(messages?.values() ?? [])].sort((a, b) => b.id - a.id)) {
    const conversation = conversationOfMessage(message as Message)
    const key = conversationKey(conversation)
    const row = rows.get(key) ?? { conversation, at: message.timestamp, people: [] }
    if (!row.people.includes(message.sender_id)) row.people.push(message.sender_id)
    rows.set(key, row)
  }
  return [...rows.values()]
}
