import { Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { message } from '../../store/messages.ts'
import { discard, type Outgoing, retry } from '../../store/outbox.ts'
import { avatarOf, me } from '../../store/people.ts'
import { isConnected } from '../../store/session.ts'
import { writeTo } from '../message/commands.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { groupedWithin } from './message-row.tsx'

/** A message on its way, as it was typed, where the message itself will stand. */
export function OutgoingRow(props: { outgoing: Outgoing; previousId: number | undefined; isFirst: boolean }) {
  const isGrouped = () => {
    if (!props.isFirst) return true
    const before = props.previousId === undefined ? undefined : message(props.previousId)
    if (!before || before.sender_id !== me()?.user_id) return false
    return props.outgoing.at - before.timestamp < groupedWithin
  }
  const isFailed = () => props.outgoing.status === 'failed'
  return (
    <article
      class="row outgoing"
      classList={{ failed: isFailed(), grouped: isGrouped() }}
      aria-label={props.outgoing.content.slice(0, 500)}
    >
      <div class="row-body">
        <span class="row-side">
          <Show when={!isGrouped()}>
            <img class="avatar" src={avatarOf(me()?.user_id ?? 0)} alt="" />
          </Show>
        </span>
        <div class="row-main">
          <Show when={!isGrouped()}>
            <p class="row-head">
              <span class="sender" dir="auto">
                {me()?.full_name}
              </span>
              <Show when={!isFailed()}>
                <Status outgoing={props.outgoing} />
              </Show>
            </p>
          </Show>
          <Show when={isGrouped() && !isFailed()}>
            <Status outgoing={props.outgoing} />
          </Show>
          <div class="content as-typed" dir="auto">
            {props.outgoing.content}
          </div>
          <Show when={isFailed()}>
            <p class="failed-reason">
              <Status outgoing={props.outgoing} />
            </p>
            <FailedActions outgoing={props.outgoing} />
          </Show>
        </div>
      </div>
    </article>
  )
}

export function Status(props: { outgoing: Outgoing }) {
  const text = () => {
    const { status, reason } = props.outgoing
    if (status === 'failed') return reason ? t('message.failed_reason', { reason }) : t('message.failed')
    return t(isConnected() ? 'message.sending' : 'message.waiting')
  }
  return (
    <span class="mark" role="status">
      {text()}
    </span>
  )
}

export function FailedActions(props: { outgoing: Outgoing }) {
  const edit = async () => {
    const { content, conversation, localId } = props.outgoing
    const { addToDraft } = await import('../../store/drafts.ts')
    // A draft first, as its box may be in another view.
    addToDraft(conversation, content)
    discard(localId)
    writeTo(conversation)
  }
  return (
    <p class="failed-actions">
      <button type="button" class="button" onClick={() => retry(props.outgoing.localId)}>
        {t('message.retry')}
      </button>
      <ActionButton run={edit}>{t('message.edit')}</ActionButton>
      <button type="button" class="button" onClick={() => discard(props.outgoing.localId)}>
        {t('message.discard')}
      </button>
    </p>
  )
}
