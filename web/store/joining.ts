import { get, untilDone } from '../api/client.ts'
import { putMatches } from './matches.ts'
import type { MessageWindow } from './message-window.ts'
import { message } from './messages.ts'

// New messages of which only the server can tell whether they belong to the open view, as in searches by words.

/** How long messages are gathered before the server is asked, in milliseconds, and how many it is asked about. */
const pause = 1000
const askedAtMost = 1000

type Matches = Record<number, { match_content: string; match_subject: string }>

const waiting = new Map<MessageWindow, number[]>()

/** Lets a new message join a window if the server says that it belongs there. */
export function ask(window: MessageWindow, id: number) {
  const ids = waiting.get(window)
  if (ids) ids.push(id)
  else {
    waiting.set(window, [id])
    setTimeout(answer, pause, window)
  }
}

function answer(window: MessageWindow) {
  // Nobody looks at a hidden page, which may be one of many.
  if (document.visibilityState === 'hidden')
    return document.addEventListener('visibilitychange', () => answer(window), { once: true })
  const ids = waiting.get(window) ?? []
  waiting.delete(window)
  const joining = ids.length > askedAtMost ? window.catchUp() : join(window, ids)
  // Without an answer, the view lacks them until it is opened again.
  joining.catch(() => {})
}

async function join(window: MessageWindow, ids: number[]) {
  const params = { msg_ids: ids, narrow: window.terms }
  const found = await untilDone(() => get<{ messages: Matches }>('/messages/matches_narrow', params))
  for (const id of ids) {
    const known = message(id)
    const match = found.messages[id]
    if (!known || !match) continue
    putMatches(window.terms, [{ ...known, ...match }])
    window.join(id)
  }
}
