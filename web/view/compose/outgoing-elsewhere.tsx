import { For } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { outgoing } from '../../store/outbox.ts'
import { FailedActions, Status } from '../feed/outgoing-row.tsx'
import { conversationName } from '../parts/conversation-name.ts'

/** Messages on their way, or those alone that were not sent, in a view that has no place for their rows. */
export function OutgoingElsewhere(props: { isFailedOnly?: boolean }) {
  return (
    <For each={props.isFailedOnly ? outgoing().filter(({ status }) => status === 'failed') : outgoing()}>
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
