import { get } from '../../api/client.ts'
import { termsOf } from '../../lib/route.ts'
import { replaceRoute } from '../../lib/router.ts'
import { conversationOfMessage, type Message } from '../../store/messages.ts'
import { currentState } from '../../store/server-state.ts'
import { setSelected } from './selection.ts'

/** Goes where a message is now that a link names at an earlier place. One that was deleted is nowhere. */
export async function findMoved(near: number) {
  const { hash } = location
  const found = await get<{ message: Message }>(`/messages/${near}`, { allow_empty_topic_name: true }).catch(
    () => undefined,
  )
  if (!found || location.hash !== hash) return
  const terms = termsOf(conversationOfMessage(found.message), currentState().user_id)
  // At the earlier place, the message after it was selected.
  setSelected(near)
  replaceRoute({ view: 'narrow', terms, near })
}
