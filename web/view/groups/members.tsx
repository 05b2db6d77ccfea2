import { createMemo, Show } from 'solid-js'
import { post } from '../../api/client.ts'
import { waysInto } from '../../lib/group-graph.ts'
import { t } from '../../lib/i18n.ts'
import { mayAddMembers, mayRemoveMembers } from '../../store/group-rights.ts'
import { groups, membersOf } from '../../store/groups.ts'
import { currentState } from '../../store/server-state.ts'
import type { UserGroup } from '../../store/server-state-types.ts'
import { notice, noticeFailure } from '../parts/notices.tsx'
import { AddPeople } from '../people/add-people.tsx'
import { PeopleTable } from '../people/people-table.tsx'
import { groupName } from '../settings/parts/group-names.ts'
import { Section } from '../settings/parts/section.tsx'

/** Lists the members of a group and how they belong to it, to add to and to remove from. */
export function Members(props: { group: UserGroup }) {
  const all = createMemo(() => membersOf(props.group.id))
  const isDirect = (userId: number) => props.group.members.includes(userId)
  const change = (params: { add?: number[]; delete?: number[] }) =>
    post(`/user_groups/${props.group.id}/members`, params)
  const drop = async (ids: number[]) => {
    await change({ delete: ids })
    const undo = () => void change({ add: ids }).catch(noticeFailure)
    notice(t('groups.removed', { count: ids.length }), { offer: { label: t('notice.undo'), run: undo } })
  }
  const refusal = (userId: number) => {
    if (!isDirect(userId)) return t('groups.only_through')
    const isOwn = userId === currentState().user_id
    return mayRemoveMembers(props.group) || isOwn ? undefined : t('groups.may_not_remove')
  }
  return (
    <Section title={t('groups.members_title')}>
      <Show when={!props.group.is_system_group && !props.group.deactivated}>
        <AddPeople
          label={t('groups.add')}
          reason={mayAddMembers(props.group) ? undefined : t('groups.may_not_add')}
          isIn={isDirect}
          willAdd={(count) => t('groups.will_add', { count })}
          done={(count) => t('groups.added', { count })}
          add={(ids) => change({ add: ids })}
        />
      </Show>
      <PeopleTable
        ids={all()}
        empty={t('groups.no_members')}
        note={(id) => whyIn(props.group, id)}
        refusal={refusal}
        removeLabel={(name) => t('groups.remove_named', { name })}
        removeMany={(count) => t('groups.remove_many', { count })}
        remove={drop}
        isReadOnly={props.group.is_system_group || props.group.deactivated}
      />
    </Section>
  )
}

/** Why a user is in a group: directly, or through which groups. */
function whyIn(group: UserGroup, userId: number): string {
  const ways = waysInto(groups(), group.id, userId)
  // Each role's group has the ones before it, which says nothing that the user's role does not.
  if (group.is_system_group) return ''
  const texts = ways.map((way) =>
    way.length === 0 ? t('groups.direct') : t('groups.through', { groups: way.map(groupName).join(' › ') }),
  )
  return texts.join(' · ')
}
