import { createMemo, Show } from 'solid-js'
import { conversationOfMessage, type Message, message } from '../../store/messages.ts'
import { ConversationBar } from './conversation-bar.tsx'
import type { ScrollKeeper } from './scroll-keeper.ts'

/**
 * Names the conversation of the messages at the top of the view, in the place of its own bar, which has scrolled away. It is for
 * the eye and the pointer alone: screen readers and the keyboard have the bar in the list, and the keys that lead from a message
 * to its topic and channel. A second one would be heard, and be a stop, before the first message.
 */
export function TopBar(props: { heading: ScrollKeeper['heading'] }) {
  const first = createMemo(() => message(props.heading.id), undefined, { equals: isSameConversation })
  return (
    <Show when={first()}>
      {(one) => (
        <div class="top-bar" aria-hidden="true" style={{ translate: `0 ${props.heading.shift}px` }}>
          <ConversationBar message={one()} isCopy={true} />
        </div>
      )}
    </Show>
  )
}

function isSameConversation(one?: Message, other?: Message) {
  const textOf = (message?: Message) => JSON.stringify(message && conversationOfMessage(message))
  return textOf(one) === textOf(other)
}
