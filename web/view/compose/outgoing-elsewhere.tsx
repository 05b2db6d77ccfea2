import { For } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { outgoing } from '../../store/outbox.ts'
import { FailedActions, Status } from '../feed/outgoing-row.tsx'
import { conversationName } from '../parts/conversation-name.ts'

/** Messages on their way, in a view that shows several conversations and so has no place for their rows. */
export function OutgoingElsewhere() {
  return (
    <For each={outgoing()}>
      {(one) => (
        <div class="outgoing-elsewhere" classList={{ failed: one.status === 'failed' }}>
          <span dir="auto">{t('compose.elsewhere', { name: conversationName(one.conversation) })}</span>
          <span class="outgoing-text" dir="auto">
            {one.content.slice(0, 120)}
          </span>
          <Status outgoing={one} />
          {one.status === 'failed' && <FailedActions outgoing={one} />}
        </div>
      )}
    </For>
  )
}
