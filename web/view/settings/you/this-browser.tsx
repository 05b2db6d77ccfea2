import { Show } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { askForNotifications, permission } from '../../shell/notifications.ts'
import { Section } from '../parts/section.tsx'

/** Whether this browser shows notifications, which the browser itself asks. */
export function ThisBrowser() {
  return (
    <Section title={t('notifications.here')}>
      <p class="set-note" role="status">
        {t(`notifications.here_${permission()}`)}
      </p>
      <Show when={permission() === 'default'}>
        <button type="button" class="button" onClick={() => void askForNotifications()}>
          {t('notifications.turn_on')}
        </button>
      </Show>
    </Section>
  )
}

/** The keys of the texts: {@link permission}. */
export const permissionTexts = ['default', 'granted', 'denied']
