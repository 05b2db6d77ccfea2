import { Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { discard, type Outgoing, retry } from '../../store/outbox.ts'
import { avatarOf, me } from '../../store/people.ts'

/** A message on its way, as it was typed. */
export function OutgoingRow(props: { outgoing: Outgoing }) {
  const hasFailed = () => props.outgoing.status === 'failed'
  const status = () => {
    if (!hasFailed()) return t('message.sending')
    return props.outgoing.reason
      ? t('message.failed_reason', { reason: props.outgoing.reason })
      : t('message.failed')
  }
  return (
    <article class="row outgoing" classList={{ failed: hasFailed() }}>
      <div class="row-body">
        <span class="row-side">
          <img class="avatar" src={avatarOf(me()?.user_id ?? 0)} alt="" />
        </span>
        <div class="row-main">
          <p class="row-head">
            <span class="sender" dir="auto">
              {me()?.full_name}
            </span>
            <span class="mark" role="status">
              {status()}
            </span>
            <Show when={hasFailed()}>
              <button type="button" class="button" onClick={() => retry(props.outgoing.localId)}>
                {t('message.retry')}
              </button>
              <button type="button" class="button" onClick={() => discard(props.outgoing.localId)}>
                {t('message.discard')}
              </button>
            </Show>
          </p>
          <div class="content as-typed" dir="auto">
            {props.outgoing.content}
          </div>
        </div>
      </div>
    </article>
  )
}
