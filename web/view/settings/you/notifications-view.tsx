import { For } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { field } from '../../../store/server-state.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { playSound } from '../../shell/sounds.ts'
import { MatrixTable } from '../parts/matrix.tsx'
import { Section } from '../parts/section.tsx'
import { DeclaredSetting, SettingsTable } from '../parts/settings-table.tsx'
import { ChannelNotifications } from './channel-notifications.tsx'
import { notificationMatrix, notifications } from './notifications.ts'
import { ThisBrowser } from './this-browser.tsx'

const [matrix, sounds, ...others] = notifications.groups

/** Edits the user's notifications, in general and for each channel. */
export function NotificationSettings() {
  return (
    <>
      <ThisBrowser />
      <MatrixTable
        scope="user"
        title="notifications.what"
        note={matrix?.note}
        matrix={notificationMatrix}
        settings={matrix?.settings ?? []}
      />
      <Sounds />
      <SettingsTable screen={{ ...notifications, groups: others }} />
      <ChannelNotifications />
    </>
  )
}

/** The sound of notifications, to be heard before one comes. */
function Sounds() {
  const sound = () => String(field('user_settings')?.notification_sound)
  return (
    <Section title={t('notifications.sounds')}>
      <For each={sounds?.settings}>{(spec) => <DeclaredSetting scope="user" spec={spec} />}</For>
      <div class="setting-buttons">
        <ActionButton isDisabled={sound() === 'none'} run={() => playSound(sound())}>
          {t('notifications.play')}
        </ActionButton>
      </div>
    </Section>
  )
}
