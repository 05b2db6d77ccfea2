import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { changeOwnSettings, ownSettingsParams } from './own-settings.ts'

export const updateSettings = command('PATCH /settings', {
  summary: "Update the current user's settings, name, password or email address",
  access: requireHuman,
  params: ownSettingsParams,
  returns: {},
  handle: changeOwnSettings,
})
