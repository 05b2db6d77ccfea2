import type { CommandContext } from '../../../http/endpoint.ts'
import type { Values } from '../../../http/params.ts'
import { checkSettings, sentSettings, settingParams } from '../../organization/kernel/users/setting-params.ts'
import { changeSettings } from '../../people/kernel/users/change-settings.ts'
import { accountParams, changeAccount, checkAccount } from './own-account.ts'

/** The parameters that users may change of their own account, named as in PATCH /settings. */
export const ownSettingsParams = { ...accountParams, ...settingParams }

type Context = CommandContext & { params: Values<typeof ownSettingsParams> }

/** Changes the parameters that differ, all or none, and emits the events. */
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
