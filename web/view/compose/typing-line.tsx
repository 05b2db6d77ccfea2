import { Show } from 'solid-js'
import { language, t } from '../../lib/i18n.ts'
import type { Conversation } from '../../lib/route.ts'
import { mutedUsers, nameOf } from '../../store/people.ts'
import { typingIn } from '../../store/typing.ts'

/** How many names are said. */
const named = 3

/** Names the users who are writing in the conversation now. Its place is kept, so that nothing moves when it appears. */
export function TypingLine(props: { conversation: Conversation }) {
  const people = () => typingIn(props.conversation).filter((id) => !mutedUsers().has(id))
  const names = () =>
    new Intl.ListFormat(language, { style: 'short' }).format(people().slice(0, named).map(nameOf))
  return (
    <p class="typing-line" aria-hidden="true">
      <Show when={people().length > 0}>
        {people().length > named
          ? t('typing.many')
          : t('typing.some', { names: names(), count: people().length })}
      </Show>
    </p>
  )
}
