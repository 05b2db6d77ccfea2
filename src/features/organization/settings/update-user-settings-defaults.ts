import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import type { Change } from '../../../log/change.ts'
import { chosenDefaults, newUserSettings } from '../../kernel/users/settings.ts'
import {
  checkSettings,
  defaultSettingParams,
  type SentSettings,
  sentSettings,
} from '../kernel/users/setting-params.ts'
import { userSettingDefaultChanged } from './realm_user_settings_defaults.event.ts'

export const updateUserSettingsDefaults = command('PATCH /realm/user_settings_defaults', {
  summary: 'Update the default settings for new users',
  since: 96,
  access: requireAdministrator,
  params: defaultSettingParams,
  returns: {},
  async handle({ params, commit }) {
    const sent = sentSettings(params)
    checkSettings(sent)
    if (Object.keys(sent).length > 0) await commit((change) => changeDefaults(change, sent))
    return {}
  },
})

async function changeDefaults(change: Change, sent: SentSettings) {
  const { state } = change
  const current: Record<string, unknown> = newUserSettings(state)
  const changed = Object.entries(sent).filter(([name, value]) => current[name] !== value)
  if (changed.length === 0) return
  const user_settings_defaults = { ...chosenDefaults(state), ...Object.fromEntries(changed) }
  await change.update('realm', {
    id: state.id,
    settings: { ...state.row.settings, user_settings_defaults },
  })
  for (const [name, value] of changed) {
    change.emit(userSettingDefaultChanged(name, value as string | number | boolean), { everyone: true })
  }
}
