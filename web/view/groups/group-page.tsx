import { For, Show } from 'solid-js'
import { patch } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { dayName } from '../../lib/time.ts'
import { mayManage } from '../../store/group-rights.ts'
import { groupOf } from '../../store/groups.ts'
import { nameOf } from '../../store/people.ts'
import { field } from '../../store/server-state.ts'
import type { GroupSetting, UserGroup } from '../../store/server-state-types.ts'
import type { SettingSpec, SettingValue } from '../settings/parts/declare.ts'
import { chosenOf, groupName } from '../settings/parts/group-names.ts'
import { Section } from '../settings/parts/section.tsx'
import { useSetting } from '../settings/parts/setting.tsx'
import { SettingRow } from '../settings/parts/settings-table.tsx'
import { groupPermissions, groupTexts } from './declared.ts'
import { JoinButton } from './join-button.tsx'
import { Lifecycle } from './lifecycle.tsx'
import { Members } from './members.tsx'
import { Subgroups } from './subgroups.tsx'

/** One group: what it is, who is in it, who may do what with it. */
export function GroupPage(props: { groupId: number }) {
  const group = () => {
    // Events change a group in place.
    field('realm_user_groups')
    return groupOf(props.groupId) as UserGroup
  }
  const reason = () => {
    if (group().is_system_group) return t('groups.of_roles_note')
    return mayManage(group()) ? undefined : t('groups.may_not_manage')
  }
  return (
    <>
      <header class="group-head">
        <h3 dir="auto">{groupName(props.groupId)}</h3>
        <Show when={group().deactivated}>
          <span class="badge">{t('role.deactivated')}</span>
        </Show>
        <Show when={!group().is_system_group && !group().deactivated}>
          <JoinButton group={group()} />
        </Show>
      </header>
      <p class="set-note">{origin(group())}</p>
      <Members group={group()} />
      <Subgroups group={group()} />
      <Show when={!group().is_system_group}>
        <Section title={t('groups.general')}>
          <For each={groupTexts}>
            {(spec) => <GroupSettingRow group={group()} spec={spec} reason={reason()} />}
          </For>
        </Section>
        <Section title={t('groups.permissions')}>
          <For each={groupPermissions}>
            {(spec) => <GroupSettingRow group={group()} spec={spec} reason={reason()} />}
          </For>
        </Section>
        <Lifecycle group={group()} reason={reason()} />
      </Show>
    </>
  )
}

/** Returns the creator of the group, and the time. */
function origin({ is_system_group, creator_id, date_created }: UserGroup) {
  if (is_system_group) return t('groups.of_roles_note')
  if (creator_id === null || date_created === null) return ''
  return t('groups.created', { name: nameOf(creator_id), day: dayName(date_created) })
}

function GroupSettingRow(props: { group: UserGroup; spec: SettingSpec; reason: string | undefined }) {
  const { key, kind } = props.spec
  const isPermission = kind === 'group'
  const saved = () => {
    const value = (props.group as unknown as Record<string, SettingValue>)[key] as SettingValue
    // In one form, so that equal ones are equal texts.
    return isPermission ? chosenOf(value as GroupSetting) : value
  }
  const setting = useSetting<SettingValue>(saved, (value, base) =>
    // The server refuses a permission that is no longer what it was when the user began.
    patch(`/user_groups/${props.group.id}`, { [key]: isPermission ? { new: value, old: base } : value }),
  )
  return <SettingRow spec={props.spec} setting={setting} reason={props.reason} />
}
