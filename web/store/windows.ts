import { createRoot } from 'solid-js'
import type { Term } from '../lib/route.ts'
import { MessageWindow, page } from './message-window.ts'
import { isUnread, keepMessages, type Message } from './messages.ts'
import { isDecidable } from './narrow.ts'

/** How many windows are kept: those that were looked at last. */
const windowsKept = 20

const windows = new Map<string, MessageWindow>()

/** The newest part of a window, as it is kept for the next visit. */
export type KeptWindow = { terms: Term[]; ids: number[]; isAtOldest: boolean }

/** How many windows are kept for the next visit, and how many messages of each. */
const windowsForNextVisit = 5

/** Returns the windows that were looked at last. Events tell what joins and leaves them, so the next visit may go on with them. */
export function windowsToKeep(): KeptWindow[] {
  return (
    [...windows.values()]
      .filter((one) => one.isAtNewest() && one.anchor() !== undefined && isDecidable(one.terms))
      // The part that is kept must say where reading has stopped.
      .filter((one) => !one.isReading && !one.ids().slice(0, -page).some(isUnread))
      .slice(-windowsForNextVisit)
      .map((one) => ({
        terms: one.terms,
        ids: one.ids().slice(-page),
        isAtOldest: one.isAtOldest() && one.ids().length <= page,
      }))
  )
}

/** Whether the window that is shown lacks messages at present. */
export function isShownWindowReading(): boolean {
  return [...windows.values()].at(-1)?.isReading ?? false
}

export function restoreWindows(kept: KeptWindow[]) {
  for (const { terms, ids, isAtOldest } of kept) windowOf(terms).restore(ids, isAtOldest)
}

/** Returns the window of a narrow, as it was left, and a new one that has not begun if there is none. */
export function windowOf(terms: Term[]): MessageWindow {
  const key = JSON.stringify(terms)
  const found = windows.get(key) ?? createRoot(() => new MessageWindow(terms))
  windows.delete(key)
  windows.set(key, found)
  forgetOldWindows()
  return found
}

export function openWindows(): MessageWindow[] {
  return [...windows.values()]
}

/** Lets a new message join the windows that it belongs to. */
export function joinWindows(added: Message) {
  for (const window of openWindows()) if (window.add(added) === undefined) askAbout(window, [added.id])
}

/** Lets messages that have come to another channel leave what shows several channels, unless the user has received them there. */
export function leaveWindows(moved: number[]) {
  for (const window of openWindows()) {
    if (window.terms.some(({ operator }) => operator === 'channel')) continue
    const here = window.ids().filter((id) => moved.includes(id))
    if (here.length > 0) askAbout(window, here)
  }
}

/**
 * Asks the server which of these messages match the window that is shown. Other windows are read again when they are
 * opened.
 */
function askAbout(window: MessageWindow, ids: number[]) {
  const forget = () => windows.delete(JSON.stringify(window.terms))
  if (window === openWindows().at(-1)) import('./joining.ts').then(({ ask }) => ask(window, ids), forget)
  else forget()
}

/** All has come that was missed since the last visit. */
export function endResuming() {
  for (const window of windows.values()) window.isResuming = false
}

/** Forgets all windows. */
export function forgetWindows() {
  windows.clear()
}

/** After registering anew: loaded messages may have changed unnoticed. The window that is shown reads itself again. */
export function reloadWindows() {
  const last = [...windows.keys()].at(-1)
  for (const [key, window] of windows) {
    if (key === last) void window.reload()
    else windows.delete(key)
  }
}

/** After registering for the first time: a window that was loaded before may lack messages that were sent since. */
export function catchUpWindows() {
  for (const window of windows.values()) void window.catchUp()
}

function forgetOldWindows() {
  if (windows.size <= windowsKept) return
  const [oldest] = windows.keys()
  if (oldest !== undefined) windows.delete(oldest)
  keepMessages(new Set([...windows.values()].flatMap((window) => window.ids())))
}
