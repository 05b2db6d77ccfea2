import { createResource, createSignal, Show } from 'solid-js'
import { get } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
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

/** The address to which mail for the channel goes, if the server takes any. */
export function MailAddress(props: { channelId: number }) {
  const [address] = createResource(
    () => props.channelId,
    (id) =>
      get<{ email: string }>(`/streams/${id}/email_address`).then(
        ({ email }) => email,
        () => undefined,
      ),
  )
  return (
    <Show when={address() !== undefined}>
      <div class="setting">
        <span class="setting-name">{t('channel.mail')}</span>
        <Show when={address()} fallback={<p class="inbox-note">{t('channel.no_mail')}</p>}>
          {(shown) => (
            <p>
              {shown()}{' '}
              <ActionButton run={() => copy(shown(), t('code.copied'))}>{t('code.copy')}</ActionButton>
            </p>
          )}
        </Show>
      </div>
    </Show>
  )
}
