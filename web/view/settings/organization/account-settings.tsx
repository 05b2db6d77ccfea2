import { patch } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { users } from '../../../store/people.ts'
import { SelectSetting, TextSetting } from '../parts/field-settings.tsx'
import { useSetting } from '../parts/setting.tsx'
import { unlessOwner } from './refusals.ts'
import { roleName, roles, rolesToGive } from './roles.ts'

// The settings that users and bots have in common.

type Account = {
  userId: number
  /** The path of the API for changes of the account. */
  path: string
}

export function NameSetting(props: Account) {
  const setting = useSetting(
    () => users().get(props.userId)?.full_name ?? '',
    (value) => patch(props.path, { full_name: value }),
    (value) => value.trim(),
  )
  return <TextSetting setting={setting} label={t('org_users.name')} max={100} isRequired />
}

export function RoleSetting(
  props: Account & {
    /** Returns the meaning of a role. */
    note(role: number): string
  },
) {
  const setting = useSetting<number>(
    () => users().get(props.userId)?.role ?? roles.member,
    (value) => patch(props.path, { role: value }),
  )
  const isOwner = () => users().get(props.userId)?.role === roles.owner
  return (
    <SelectSetting
      setting={setting}
      label={t('org_users.role')}
      options={Object.values(roles).map((role) => [role, roleName(role)])}
      isRefused={(role) => !rolesToGive().includes(role)}
      reason={isOwner() ? unlessOwner() : undefined}
      note={props.note(setting.value())}
    />
  )
}
