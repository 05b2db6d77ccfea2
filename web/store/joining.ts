import { get, untilDone } from '../api/client.ts'
import { putMatches } from './matches.ts'
import type { MessageWindow } from './message-window.ts'
import { message } from './messages.ts'
import { inRequest } from './spectator.ts'

// Messages of which only the server can tell whether they belong to the open view: new ones in a search by words, or moved ones.

/** How long messages are gathered before the server is asked, in milliseconds, and how many it is asked about. */
const pause = 1000
const askedAtMost = 1000

type Matches = Record<number, { match_content: string; match_subject: string }>

const waiting = new Map<MessageWindow, number[]>()

/** Lets messages join a window, or leave it, as the server says. */
export function ask(window: MessageWindow, added: number[]) {
  const ids = waiting.get(window)
  if (ids) ids.push(...added)
  else {
    waiting.set(window, [...added])
    setTimeout(askNow, pause, window)
  }
}

function askNow(window: MessageWindow) {
  // Nobody looks at a hidden page, which may be one of many.
  if (document.visibilityState === 'hidden')
    return document.addEventListener('visibilitychange', () => askNow(window), { once: true })
  const ids = waiting.get(window) ?? []
  waiting.delete(window)
  const asking = ids.length > askedAtMost ? window.reload() : takeAnswer(window, ids)
  // Without an answer, the view is right when it is opened again.
  asking.catch(() => {})
}

async function takeAnswer(window: MessageWindow, ids: number[]) {
  const params = { msg_ids: ids, narrow: inRequest(window.terms) }
  const found = await untilDone(() => get<{ messages: Matches }>('/messages/matches_narrow', params))
  for (const id of ids) {
    const known = message(id)
    const match = found.messages[id]
    if (known && match) {
      putMatches(window.terms, [{ ...known, ...match }])
      window.join(id)
    } else window.remove([id])
  }
}
