import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { changeOwnSettings, ownSettingsParams } from './own-settings.ts'

export const updateNotificationSettings = command('PATCH /settings/notifications', {
  summary: 'Update notification settings (deprecated: PATCH /settings)',
  access: requireHuman,
  params: ownSettingsParams,
  returns: {},
  handle: changeOwnSettings,
})
