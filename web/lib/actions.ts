import type { Action } from './keys.ts'
import type { Conversation } from './route.ts'

// The actions of shortcuts and menus. Screens register what an action does while they are shown; the newest one is called.

type Handler = (event?: KeyboardEvent) => unknown

const handlers = new Map<Action, Handler[]>()

/**
 * Says what an action does from now on; returns a function that takes this back. A handler that returns `false` leaves the
 * action to those before it.
 */
export function onAction(action: Action, handler: Handler): () => void {
  handlers.set(action, [handler, ...(handlers.get(action) ?? [])])
  return () => {
    handlers.set(
      action,
      (handlers.get(action) ?? []).filter((one) => one !== handler),
    )
  }
}

/** Registers several actions; returns a function that takes all of them back. */
export function onActions(all: Partial<Record<Action, Handler>>): () => void {
  const undo = Object.entries(all).map(([action, handler]) => onAction(action as Action, handler))
  return () => {
    for (const one of undo) one()
  }
}

/** Carries an action out; returns whether a screen took it. */
export function runAction(action: Action, event?: KeyboardEvent): boolean {
  return (handlers.get(action) ?? []).some((handler) => handler(event) !== false)
}

/** Text for the box in which messages are written. `to`: the conversation for which it is meant. */
type Insertion = { text: string; to: Conversation | undefined }
type Writer = (insertion: Insertion) => boolean

let writers: Writer[] = []
let waiting: Insertion | undefined

/** Whether text, or the focus, waits for a box. */
export const isBoxAwaited = () => waiting !== undefined

/**
 * Lets a box take text. The writer puts it at the cursor, on lines of its own, focuses the box, and returns true; false
 * if the box writes to another conversation. Returns a function that takes this back.
 */
export function onInsert(writer: Writer): () => void {
  writers = [writer, ...writers]
  if (waiting && writer(waiting)) waiting = undefined
  return () => {
    writers = writers.filter((one) => one !== writer)
  }
}

/**
 * Puts text into the box in which a message is written, and focuses it; an empty text only focuses. If no box for the
 * conversation is shown, the next one that is shown takes it.
 */
export function insertIntoComposer(text: string, to?: Conversation) {
  const insertion = { text, to }
  waiting = writers.some((writer) => writer(insertion)) ? undefined : insertion
}
