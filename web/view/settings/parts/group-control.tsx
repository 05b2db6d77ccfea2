import { Show } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { field } from '../../../store/server-state.ts'
import type { UserGroup } from '../../../store/server-state-types.ts'
import type { Props } from './controls.tsx'
import type { GroupSpec } from './declare.ts'
import type { Chosen } from './group-names.ts'
import { Principals } from './principals.tsx'
import { Row } from './row.tsx'
import { SaveButtons } from './setting.tsx'
import { SystemGroupControl } from './system-group.tsx'

type Supported = Record<
  string,
  { allow_everyone_group: boolean; require_system_group?: boolean; allowed_system_groups?: string[] }
>

/** Chooses the holders of a permission. Saved by a button, as several are chosen one after the other. */
export function GroupControl(props: Props<GroupSpec, Chosen>) {
  const supported = () => {
    const { kind, name } = props.spec.permission ?? { kind: 'realm', name: props.spec.key }
    const all = field('server_supported_permission_settings') as unknown as Record<string, Supported>
    return all[kind]?.[name]
  }
  const takes = (group: UserGroup) =>
    group.name !== 'role:everyone' || (supported()?.allow_everyone_group ?? true)
  return (
    <Show
      when={!supported()?.require_system_group}
      fallback={<SystemGroupControl {...props} allowed={supported()?.allowed_system_groups ?? []} />}
    >
      <Row {...props} isWide>
        {(ids) => (
          <>
            <Principals
              label={props.label}
              chosen={props.setting.value()}
              change={props.setting.set}
              empty={t('group.nobody')}
              isDisabled={props.reason !== undefined}
              describedBy={ids.note}
              takes={(option) => !('group' in option) || takes(option.group)}
            />
            <SaveButtons setting={props.setting} />
          </>
        )}
      </Row>
    </Show>
  )
}
