import type { StoredUserSettings } from '../../db/values.ts'
import { userSettingDefaults } from '../../features/kernel/users/settings.ts'
import { checkSettings, settingParams } from '../../features/organization/kernel/users/setting-params.ts'
import { namesIn } from '../../lib/collections/records.ts'
import { checkedSetting } from './checked-setting.ts'
import type { LeftOut } from './left-out.ts'
import { oldUserSettings } from './old-policies.ts'
import { unlessRefused } from './valid.ts'

type Columns = Record<string, unknown>

/** Returns the personal settings in the columns of a row, as they are stored here: those that differ from the defaults. */
export function userSettingsIn(row: Columns, leftOut: LeftOut): Partial<StoredUserSettings> {
  const found: Columns = {}
  const columns: Columns = { ...oldUserSettings(row), ...row }
  for (const name of namesIn(userSettingDefaults)) {
    const value = columns[name]
    if (value === undefined || value === null) continue
    const checked = checkedSetting(settingParams, name, value)
    const isAllowed = unlessRefused(() => checkSettings({ [name]: checked }) ?? true)
    if (checked === undefined || !isAllowed) leftOut.add('settings')
    else if (checked !== userSettingDefaults[name]) found[name] = checked
  }
  return found
}
