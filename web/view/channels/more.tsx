import { createResource, createSignal, Show } from 'solid-js'
import { get } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { isPermitted } from '../../store/groups.ts'
import type { Channel } from '../../store/server-state-types.ts'
import { Preview } from '../compose/preview.tsx'
import { ActionButton } from '../parts/action-button.tsx'
import { copy } from '../parts/copy.ts'

/** The description as the server will show it. */
export function DescriptionPreview(props: { text: string }) {
  const [isShown, setShown] = createSignal(false)
  return (
    <Show when={props.text.trim()}>
      <button
        type="button"
        class="button setting-more"
        aria-pressed={isShown()}
        onClick={() => setShown((before) => !before)}
      >
        {t('compose.preview')}
      </button>
      <Show when={isShown()}>
        <Preview text={props.text} />
      </Show>
    </Show>
  )
}

/** The user's address for mail to the channel, if the server takes any, and they may post there. */
export function MailAddress(props: { channel: Channel }) {
  const [address] = createResource(
    () => isPermitted(props.channel.can_send_message_group) && props.channel.stream_id,
    (id) =>
      get<{ email: string }>(`/streams/${id}/email_address`).then(
        ({ email }) => email,
        () => '',
      ),
  )
  return (
    <Show when={address()}>
      {(shown) => (
        <div class="setting">
          <span class="setting-name">{t('channel.mail')}</span>
          <p>
            {shown()}{' '}
            <ActionButton run={() => copy(shown(), t('code.copied'))}>{t('code.copy')}</ActionButton>
          </p>
          <p class="inbox-note">{t('channel.mail_note')}</p>
        </div>
      )}
    </Show>
  )
}
