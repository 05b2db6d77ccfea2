import type { CommandContext } from '../../../http/endpoint.ts'
import type { Values } from '../../../http/params.ts'
import { checkSettings, sentSettings, settingParams } from '../../organization/kernel/users/setting-params.ts'
import { changeSettings } from '../../people/kernel/users/change-settings.ts'
import { accountParams, changeAccount, checkAccount } from './own-account.ts'

/** What people may change of themselves, by the names of PATCH /settings. */
export const ownSettingsParams = { ...accountParams, ...settingParams }

type Context = CommandContext & { params: Values<typeof ownSettingsParams> }

/** Changes what was sent and differs, all or nothing, and tells of it. */
export async function changeOwnSettings(context: Context) {
  const { me, params, site, commit } = context
  const settings = sentSettings(params)
  checkSettings(settings)
  const account = await checkAccount(context, params)
  if (Object.keys(settings).length + Object.keys(account).length === 0) return {}
  await commit(async (change) => {
    await changeAccount(change, site, me.id, account)
    await changeSettings(change, site, me.id, settings)
  })
  return {}
}
