import { Show } from 'solid-js'
import { post } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { mayJoin, mayLeave } from '../../store/group-rights.ts'
import { currentState, field } from '../../store/server-state.ts'
import type { UserGroup } from '../../store/server-state-types.ts'
import { ActionButton } from '../parts/action-button.tsx'

/** Lets the user join a group, or leave it. */
export function JoinButton(props: { group: UserGroup }) {
  const isIn = () => {
    field('realm_user_groups')
    return props.group.members.includes(currentState().user_id)
  }
  const mayToggle = () => (isIn() ? mayLeave(props.group) : mayJoin(props.group))
  const toggle = () =>
    post(`/user_groups/${props.group.id}/members`, {
      [isIn() ? 'delete' : 'add']: [currentState().user_id],
    })
  return (
    <Show when={!field('is_guest') || isIn()}>
      <ActionButton
        class={`row-button ${isIn() ? 'settled' : ''}`}
        reason={mayToggle() ? undefined : t(isIn() ? 'groups.may_not_leave' : 'groups.may_not_join')}
        label={t(isIn() ? 'groups.leave_named' : 'groups.join_named', { name: props.group.name })}
        run={toggle}
      >
        {t(isIn() ? 'groups.leave' : 'groups.join')}
      </ActionButton>
    </Show>
  )
}
