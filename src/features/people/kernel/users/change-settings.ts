import type { AccountRow } from '../../../../db/schema.ts'
import type { Site } from '../../../../lib/site.ts'
import type { Change } from '../../../../log/change.ts'
import { userSetting, userSettings } from '../../../kernel/users/settings.ts'
import { apiEmail } from '../../../kernel/users/user-view.ts'
import type { SentSettings } from '../../../organization/kernel/users/setting-params.ts'
import { becomeOffline, becomeOnline } from '../presence/record-presence.ts'
import { administratorIds } from './administrators.ts'
import { legacyKind } from './legacy-settings.ts'
import { exportConsent } from './realm_export_consent.event.ts'
import { userUpdated } from './realm_user.event.ts'
import { displaySettingChanged } from './update_display_settings.event.ts'
import { notificationSettingChanged } from './update_global_notifications.event.ts'
import { settingChanged } from './user_settings.event.ts'

/** Sets a user's settings and emits those that have changed. */
export async function changeSettings(change: Change, site: Site, userId: number, sent: SentSettings) {
  const before = change.state.users.require(userId)
  const current: Record<string, unknown> = { ...userSettings(before), timezone: before.timezone }
  const changed = Object.entries(sent).filter(([name, value]) => current[name] !== value)
  if (changed.length === 0) return
  const { timezone = before.timezone, ...settings } = Object.fromEntries(changed) as SentSettings
  const after = await change.update('account', {
    id: userId,
    timezone,
    settings: { ...before.settings, ...settings },
  })
  for (const [name, value] of changed) {
    emitToOwner(change, site, before, name, value as string | number | boolean)
    await followSetting(change, site, after, name)
  }
}

function emitToOwner(
  change: Change,
  site: Site,
  me: AccountRow,
  name: string,
  value: string | number | boolean,
) {
  const users = [me.id]
  change.emit(settingChanged(name, value), { users })
  const email = apiEmail(change.state, site, me)
  const kind = legacyKind(name)
  if (kind === 'display') change.emit(displaySettingChanged(email, name, value), { users })
  if (kind === 'notification') change.emit(notificationSettingChanged(email, name, value), { users })
}

async function followSetting(change: Change, site: Site, after: AccountRow, name: string): Promise<void> {
  const { state } = change
  switch (name) {
    case 'timezone': {
      const { id, timezone } = after
      return change.emit(userUpdated(id, { email: apiEmail(state, site, after), timezone }), {
        everyone: true,
      })
    }
    case 'presence_enabled':
      if (!userSetting(after, 'presence_enabled')) return becomeOffline(change, after)
      return becomeOnline(change, after)
    case 'allow_private_data_export':
      return change.emit(exportConsent(after.id, userSetting(after, 'allow_private_data_export')), {
        users: administratorIds(state),
      })
  }
}
