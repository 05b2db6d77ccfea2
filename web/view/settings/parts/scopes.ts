import { patch } from '../../../api/client.ts'
import type { TextKey } from '../../../lib/i18n.ts'
import { field } from '../../../store/server-state.ts'
import type { Screen, SettingSpec, SettingValue } from './declare.ts'

type Scope = {
  read(spec: SettingSpec): SettingValue
  /** `base`: the value that the user saw when they began to change it. */
  send(spec: SettingSpec, value: SettingValue, base: SettingValue): Promise<unknown>
  /** Why a setting may not be changed, if so. */
  refusal?(spec: SettingSpec): TextKey | undefined
}

type Values = Record<string, unknown>

const onlyAdministrators = () => (field('is_admin') ? undefined : 'settings.only_administrators')

function organizationRefusal({ isOwners, needs, needsServer }: SettingSpec): TextKey | undefined {
  if (isOwners && field('is_admin') && !field('is_owner')) return 'org.only_owners'
  if (needs && field('is_admin') && !field(`realm_${needs}` as 'realm_name')) return 'org.needs_other'
  if (needsServer && field('is_admin') && !field(needsServer)) return 'org.needs_server'
  return onlyAdministrators()
}

/** How the settings of a screen are read and saved. */
export const scopes: Record<Screen['scope'], Scope> = {
  user: {
    read: (spec) => in_(field('user_settings'), spec),
    send: ({ key }, value) => patch('/settings', { [key]: value }),
  },
  organization: {
    read: (spec) => field((spec.field ?? `realm_${spec.key}`) as 'realm_name') as SettingValue,
    // The server refuses a permission that is no longer what it was when the user began.
    send: ({ key, kind, wire }, value, base) =>
      patch('/realm', { [key]: kind === 'group' ? { new: value, old: base } : wire ? wire(value) : value }),
    refusal: organizationRefusal,
  },
  new_users: {
    read: (spec) => in_(field('realm_user_settings_defaults' as 'user_settings'), spec),
    send: ({ key }, value) => patch('/realm/user_settings_defaults', { [key]: value }),
    refusal: onlyAdministrators,
  },
}

function in_(values: Values | undefined, spec: SettingSpec) {
  return values?.[spec.field ?? spec.key] as SettingValue
}
