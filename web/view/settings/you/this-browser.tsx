import { Show } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { askForNotifications, permission } from '../../shell/notifications.ts'
import { Section } from '../parts/section.tsx'

const texts = {
  default: 'notifications.here_default',
  granted: 'notifications.here_granted',
  denied: 'notifications.here_denied',
} as const

/** Whether this browser shows notifications, which the browser itself asks. */
export function ThisBrowser() {
  return (
    <Section title={t('notifications.here')}>
      <p class="set-note" role="status">
        {t(texts[permission()])}
      </p>
      <Show when={permission() === 'default'}>
        <ActionButton run={askForNotifications}>{t('notifications.turn_on')}</ActionButton>
      </Show>
    </Section>
  )
}
