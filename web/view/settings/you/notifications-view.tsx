import { MatrixTable } from '../parts/matrix.tsx'
import { SettingsTable } from '../parts/settings-table.tsx'
import { ChannelNotifications } from './channel-notifications.tsx'
import { notificationMatrix, notifications } from './notifications.ts'
import { ThisBrowser } from './this-browser.tsx'

const [matrix, ...others] = notifications.groups

/** What the user is told of, in general and for each channel. */
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
      <SettingsTable screen={{ ...notifications, groups: others }} />
      <ChannelNotifications />
    </>
  )
}
