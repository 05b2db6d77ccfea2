import { createMemo, For, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { type Outgoing, outgoing } from '../../store/outbox.ts'
import { FailedActions, Status } from '../feed/outgoing-row.tsx'
import { conversationName } from '../parts/conversation-name.ts'
import { Known } from '../parts/known.tsx'

const isFailed = ({ status }: Outgoing) => status === 'failed'

/** Messages on their way, or those alone that were not sent, in a view that has no place for their rows. */
export function OutgoingElsewhere(props: { isFailedOnly?: boolean }) {
  const shown = createMemo(() => {
    const all = props.isFailedOnly ? outgoing().filter(isFailed) : outgoing()
    return new Map(all.map((one) => [one.localId, one]))
  })
  return (
    // By ids: a message that is tried again, or has failed, is another object.
    <For each={[...shown().keys()]}>
      {(id) => <Known thing={shown().get(id)}>{(one) => <Row outgoing={one()} />}</Known>}
    </For>
  )
}

function Row(props: { outgoing: Outgoing }) {
  return (
    <div class="outgoing-elsewhere" classList={{ failed: isFailed(props.outgoing) }}>
      <span dir="auto">
        {t('compose.elsewhere', { name: conversationName(props.outgoing.conversation) })}
      </span>
      <span class="outgoing-text" dir="auto">
        {props.outgoing.content.slice(0, 120)}
      </span>
      <Status outgoing={props.outgoing} />
      <Show when={isFailed(props.outgoing)}>
        <FailedActions outgoing={props.outgoing} />
      </Show>
    </div>
  )
}
