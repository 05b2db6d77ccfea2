import type { AccountRow } from '../../db/schema.ts'
import { isAdministrator } from '../../http/access.ts'
import type { Site } from '../../lib/site.ts'
import type { Change } from '../../log/change.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { becomeOffline, becomeOnline } from '../presence/report.ts'
import { legacyKind } from './legacy-settings.ts'
import { exportConsent } from './realm_export_consent.event.ts'
import { userUpdated } from './realm_user.event.ts'
import type { SentSettings } from './setting-params.ts'
import { userSettings } from './settings.ts'
import { tellOfEmailShown } from './tell-of-email.ts'
import { displaySettingChanged } from './update_display_settings.event.ts'
import { notificationSettingChanged } from './update_global_notifications.event.ts'
import { settingChanged } from './user_settings.event.ts'
import { apiEmail } from './user-view.ts'

/** Sets a person's settings and tells of those that differ from before. */
export async function changeSettings(change: Change, site: Site, userId: number, sent: SentSettings) {
  const before = change.state.users.get(userId)!
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
    tellOwner(change, site, before, name, value as string | number | boolean)
    await tellOthers(change, site, before, after, name)
  }
}

function tellOwner(
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

async function tellOthers(
  change: Change,
  site: Site,
  before: AccountRow,
  after: AccountRow,
  name: string,
): Promise<void> {
  const { state } = change
  const everyone = { everyone: true } as const
  switch (name) {
    case 'timezone':
      change.emit(
        userUpdated(after.id, { email: apiEmail(state, site, after), timezone: after.timezone }),
        everyone,
      )
      return
    case 'email_address_visibility':
      return tellOfEmailShown(change, site, before, after)
    case 'presence_enabled':
      if (!userSettings(after).presence_enabled) return becomeOffline(change, after)
      return becomeOnline(change, after)
    case 'allow_private_data_export':
      change.emit(exportConsent(after.id, userSettings(after).allow_private_data_export), {
        users: administratorIds(state),
      })
  }
}

/** The people who administer the organization. */
export function administratorIds(realm: RealmState): number[] {
  const users = [...realm.users.values()].filter((user) => user.is_active && user.bot_type === null)
  return users.filter(isAdministrator).map((user) => user.id)
}
