import { human } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { changeOwnSettings, ownSettingsParams } from './own-settings.ts'

export const updateSettings = command('PATCH /settings', {
  summary: "Change one's own settings, name or password",
  access: human,
  params: ownSettingsParams,
  returns: {},
  handle: changeOwnSettings,
})
