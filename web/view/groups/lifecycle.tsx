import { createSignal, For, Show } from 'solid-js'
import { ApiFailure, patch, post } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import type { UserGroup } from '../../store/server-state-types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { channelInText } from '../parts/channel-in-text.ts'
import { askFirst } from '../parts/confirm.tsx'
import { notice } from '../parts/notices.tsx'
import { groupName } from '../settings/parts/group-names.ts'
import { Section } from '../settings/parts/section.tsx'

/** An object that depends on a group: the server names them when it refuses to deactivate the group. */
type Use =
  | { type: 'subgroup'; supergroup_ids: number[] }
  | { type: 'realm' }
  | { type: 'channel'; channel_id?: number }
  | { type: 'user_group'; group_id: number }

/** Deactivates a group after a question, or takes it back. */
export function Lifecycle(props: { group: UserGroup; reason: string | undefined }) {
  const { uses, ask } = useDeactivation(() => props.group)
  const reactivate = () => patch(`/user_groups/${props.group.id}`, { deactivated: false })
  return (
    <Section title={t('groups.lifecycle')} note={t('groups.lifecycle_note')}>
      <Show
        when={props.group.deactivated}
        fallback={
          <ActionButton isDangerous isDisabled={props.reason !== undefined} run={ask}>
            {t('groups.deactivate')}
          </ActionButton>
        }
      >
        <ActionButton isDisabled={props.reason !== undefined} run={reactivate}>
          {t('groups.reactivate')}
        </ActionButton>
      </Show>
      <Show when={props.reason}>{(reason) => <p class="set-note">{reason()}</p>}</Show>
      <Show when={uses().length > 0}>
        <div class="error-text" role="alert">
          <p>{t('groups.in_use')}</p>
          <ul>
            <For each={uses()}>{(use) => <li>{placeOf(use)}</li>}</For>
          </ul>
        </div>
      </Show>
    </Section>
  )
}

/** `uses`: where the group is in use, if the server has refused to deactivate it for that. */
function useDeactivation(group: () => UserGroup) {
  const [uses, setUses] = createSignal<Use[]>([])
  const deactivate = async () => {
    const { id, name } = group()
    try {
      await post(`/user_groups/${id}/deactivate`)
      setUses([])
      notice(t('groups.deactivated', { name }))
    } catch (failure) {
      const objections = failure instanceof ApiFailure && failure.body.objections
      if (!Array.isArray(objections)) throw failure
      setUses(objections)
    }
  }
  const ask = () =>
    askFirst({
      title: t('groups.deactivate'),
      text: t('groups.deactivate_question', { name: group().name }),
      action: t('groups.deactivate'),
      run: deactivate,
    })
  return { uses, ask }
}

function placeOf(use: Use): string {
  switch (use.type) {
    case 'subgroup':
      return t('groups.used_by_groups', { names: use.supergroup_ids.map(groupName).join(', ') })
    case 'channel':
      return t('groups.used_by_channel', { name: channelInText(use.channel_id) })
    case 'user_group':
      return t('groups.used_by_permissions', { name: groupName(use.group_id) })
    default:
      return t('groups.used_by_organization')
  }
}
