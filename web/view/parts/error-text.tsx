import { Show } from 'solid-js'
import { errorMessage, isPartMissing } from '../../lib/error-message.ts'
import { t } from '../../lib/i18n.ts'
import { ActionButton } from './action-button.tsx'
import { reload } from './notices.tsx'

/** Shows an error, if there is one; screen readers say it as soon as it is there. */
export function ErrorText(props: { error: unknown }) {
  return (
    <Show when={props.error}>
      {(error) => (
        <p class="error-text" role="alert">
          {errorMessage(error())}{' '}
          <Show when={isPartMissing(error())}>
            <ActionButton run={reload}>{t('notice.reload')}</ActionButton>
          </Show>
        </p>
      )}
    </Show>
  )
}
