import type { StoredUserSettings } from '../../db/values.ts'
import { userSettingDefaults } from '../../features/kernel/users/settings.ts'
import { checkSettings, settingParams } from '../../features/organization/kernel/users/setting-params.ts'
import type { Param } from '../../http/params.ts'
import { ApiError } from '../../lib/api-error.ts'
import { namesIn } from '../../lib/records.ts'
import type { LeftOut } from './left-out.ts'
import { oldUserSettings } from './old-policies.ts'

type Columns = Record<string, unknown>

/** What the API has in place of numbers in the columns of settings. */
const wordsOf: Record<string, Record<number, string | number>> = {
  resolved_topic_notice_auto_read_policy: { 1: 'always', 2: 'except_followed', 3: 'never' },
  message_edit_history_visibility_policy: { 1: 'all', 2: 'moves', 3: 'none' },
  topics_policy: { 2: 'allow_empty_topic', 3: 'disable_empty_topic' },
  // Zoom has two numbers, by how a server signs in there; and there were two types of organizations.
  video_chat_provider: { 5: 3 },
  org_type: { 1: 10, 2: 90 },
}

/** Returns the personal settings in the columns of a row, as they are stored here: those that differ from the defaults. */
export function userSettingsIn(row: Columns, leftOut: LeftOut): Partial<StoredUserSettings> {
  const found: Columns = {}
  const columns: Columns = { ...oldUserSettings(row), ...row }
  for (const name of namesIn(userSettingDefaults)) {
    const value = columns[name]
    if (value === undefined || value === null) continue
    const checked = checkedSetting(settingParams, name, value)
    if (checked === undefined || !isAllowed({ [name]: checked })) leftOut.add('settings')
    else if (checked !== userSettingDefaults[name]) found[name] = checked
  }
  return found
}

/** Returns a value as the API would store it; undefined if it would refuse it. */
export function checkedSetting(params: object, name: string, value: unknown): unknown {
  const param = (params as Record<string, Param<unknown> | undefined>)[name]
  const word = typeof value === 'number' ? (wordsOf[name]?.[value] ?? value) : value
  const isText = typeof word === 'string' && !(param?.isJson && name === 'jitsi_server_url')
  const sent = isText ? word : JSON.stringify(word)
  try {
    return param?.read(name, () => sent)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

function isAllowed(settings: Columns): boolean {
  try {
    checkSettings(settings)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
