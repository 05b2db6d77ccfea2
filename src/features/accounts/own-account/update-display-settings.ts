import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { changeOwnSettings, ownSettingsParams } from './own-settings.ts'

export const updateDisplaySettings = command('PATCH /settings/display', {
  summary: 'Update display settings (deprecated: PATCH /settings)',
  access: requireHuman,
  params: ownSettingsParams,
  returns: {},
  handle: changeOwnSettings,
})
