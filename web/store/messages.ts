import { type Accessor, createRoot, createSignal, type Setter } from 'solid-js'
import type { Conversation } from '../lib/route.ts'
import { currentState } from './server-state.ts'

export type Reaction = { emoji_name: string; emoji_code: string; reaction_type: string; user_id: number }

/** A message in its wire form, with this user's flags. Objects are replaced, never changed. */
export type Message = {
  id: number
  sender_id: number
  sender_full_name: string
  sender_realm_str?: string
  avatar_url: string | null
  type: 'stream' | 'private'
  stream_id?: number
  /** The topic. */
  subject: string
  display_recipient: string | { id: number; full_name: string }[]
  content: string
  timestamp: number
  last_edit_timestamp?: number
  last_moved_timestamp?: number
  reactions: Reaction[]
  submessages: { id: number; sender_id: number; msg_type: string; content: string }[]
  flags: string[]
  is_me_message: boolean
  client: string
  topic_links: { text: string; url: string }[]
}

type Cell = { read: Accessor<Message | undefined>; write: Setter<Message | undefined> }

const cells = new Map<number, Cell>()

/** Returns a message that was loaded; what reads it within a reactive scope runs again when the message changes. */
export function message(id: number): Message | undefined {
  return cells.get(id)?.read()
}

export function putMessage(message: Message) {
  const cell = cells.get(message.id)
  if (cell) cell.write(message)
  else cells.set(message.id, newCell(message))
}

/** Changes messages that were loaded; the others stay unknown. */
export function changeMessages(ids: readonly number[], change: (message: Message) => Message) {
  for (const id of ids) cells.get(id)?.write((old) => old && change(old))
}

export function forgetMessages(ids: readonly number[]) {
  for (const id of ids) {
    cells.get(id)?.write(undefined)
    cells.delete(id)
  }
}

let alsoKept: () => Iterable<number> = () => []

/** Says which messages are kept besides those that windows show. */
export function keepAlso(ids: () => Iterable<number>) {
  alsoKept = ids
}

/** Removes messages that no window shows any more. */
export function keepMessages(wanted: Set<number>) {
  const others = new Set(alsoKept())
  for (const id of cells.keys()) if (!wanted.has(id) && !others.has(id)) cells.delete(id)
}

export function knownMessageIds(): number[] {
  return [...cells.keys()]
}

export function hasFlag(message: Message, flag: string): boolean {
  return message.flags.includes(flag)
}

/** Whether a message is known, and unread. */
export function isUnread(id: number): boolean {
  const found = message(id)
  return found !== undefined && !hasFlag(found, 'read')
}

/** The conversation to which a message belongs. */
export function conversationOfMessage({
  type,
  stream_id,
  subject,
  display_recipient,
}: Message): Conversation {
  if (type === 'stream') return { channelId: stream_id ?? 0, topic: subject }
  const people = display_recipient as { id: number }[]
  return { userIds: people.map(({ id }) => id).filter((id) => id !== currentState().user_id) }
}

function newCell(message: Message): Cell {
  const [read, write] = createRoot(() => createSignal<Message | undefined>(message))
  return { read, write }
}
