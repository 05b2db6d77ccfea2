import { get } from '../../api/client.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { channelOfTerm, termsOf } from '../../lib/route.ts'
import { replaceRoute } from '../../lib/router.ts'
import type { MessageWindow } from '../../store/message-window.ts'
import { conversationOfMessage, type Message } from '../../store/messages.ts'
import { currentState } from '../../store/server-state.ts'
import { notice } from '../parts/notices.tsx'
import { setSelected } from './selection.ts'

/**
 * A link names a message that is not in the open view: goes where it is now, or says that it is gone. A view that is no part of a
 * channel stays open, as it may be a search that the message fits no longer. So does one in which the reader is elsewhere (`isLeft`).
 */
export async function findMoved(near: number, { terms, failure }: MessageWindow, isLeft: boolean) {
  const { hash } = location
  const read = get<{ message: Message }>(`/messages/${near}`, { allow_empty_topic_name: true })
  const found = await read.catch((error: unknown) => {
    // A view that could not be read says so itself.
    if (location.hash === hash && !failure()) notice(errorMessage(error), { isFailure: true })
  })
  if (!found || isLeft || location.hash !== hash || channelOfTerm(terms[0]) === undefined) return
  const to = termsOf(conversationOfMessage(found.message), currentState().user_id)
  // At the earlier place, the message after it was selected.
  setSelected(near)
  replaceRoute({ view: 'narrow', terms: to, near })
}
