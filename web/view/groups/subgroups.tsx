import { createUniqueId, For, Show } from 'solid-js'
import { post } from '../../api/client.ts'
import { isWithin } from '../../lib/group-graph.ts'
import { t } from '../../lib/i18n.ts'
import { mayAddMembers, mayManage } from '../../store/group-rights.ts'
import { groupOf, groups, membersOf } from '../../store/groups.ts'
import type { UserGroup } from '../../store/server-state-types.ts'
import { IconButton } from '../parts/action-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { keepFocus } from '../parts/keep-focus.ts'
import { useSubmission, useTyped } from '../parts/submission.ts'
import { useUnsaved } from '../parts/unsaved.ts'
import { groupName } from '../settings/parts/group-names.ts'
import { Principals } from '../settings/parts/principals.tsx'
import { Section } from '../settings/parts/section.tsx'
import { SettingNote } from '../settings/parts/setting.tsx'

/** The groups within a group, and those that it is within. */
export function Subgroups(props: { group: UserGroup }) {
  const around = () =>
    [...groups().values()]
      .filter((other) => !other.deactivated && other.direct_subgroup_ids.includes(props.group.id))
      .map(({ id }) => id)
  return (
    <Section title={t('groups.subgroups')} note={t('groups.subgroups_note')}>
      <Show when={!props.group.is_system_group && !props.group.deactivated}>
        <AddSubgroups group={props.group} />
      </Show>
      <Show when={props.group.direct_subgroup_ids.length > 0}>
        <ul class="group-parts" aria-label={t('groups.subgroups')}>
          <For each={props.group.direct_subgroup_ids}>
            {(id) => (
              <li ref={keepFocus}>
                <GroupLink id={id} />
                <RemoveSubgroup group={props.group} id={id} />
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Show when={around().length > 0}>
        <p class="group-around">
          <span>{t('groups.part_of')}</span>
          <For each={around()}>{(id) => <GroupLink id={id} />}</For>
        </p>
      </Show>
    </Section>
  )
}

function GroupLink(props: { id: number }) {
  return (
    <a class="group-link" href={`#groups/${props.id}`}>
      <Icon name="people" />
      <span dir="auto">{groupName(props.id)}</span>
      <span class="inbox-note">{t('groups.members', { count: membersOf(props.id).size })}</span>
      <Show when={groupOf(props.id)?.deactivated}>
        <span class="badge">{t('role.deactivated')}</span>
      </Show>
    </a>
  )
}

function RemoveSubgroup(props: { group: UserGroup; id: number }) {
  return (
    <Show when={!props.group.is_system_group}>
      <IconButton
        icon="close"
        label={t('groups.remove_named', { name: groupName(props.id) })}
        reason={mayManage(props.group) ? undefined : t('groups.may_not_manage')}
        run={() => post(`/user_groups/${props.group.id}/subgroups`, { delete: [props.id] })}
      />
    </Show>
  )
}

function AddSubgroups(props: { group: UserGroup }) {
  const noteId = createUniqueId()
  const choice = useTyped<number[]>([])
  const { value: chosen, set: setChosen } = choice
  const { isBusy, error, run } = useSubmission()
  useUnsaved({ isChanged: () => chosen().length > 0, isBeingSaved: isBusy })
  const circle = () => circleOf(props.group, chosen())
  const reason = () => (mayAddMembers(props.group) ? undefined : t('groups.may_not_add'))
  const add = () => choice.send((add) => post(`/user_groups/${props.group.id}/subgroups`, { add }))
  return (
    <form
      class="setting"
      onSubmit={(event) => {
        event.preventDefault()
        if (circle() === undefined) void run(add)
      }}
    >
      <Principals
        label={t('groups.add_subgroups')}
        placeholder={t('groups.add_subgroups')}
        chosen={{ direct_members: [], direct_subgroups: chosen() }}
        change={({ direct_subgroups }) => setChosen(direct_subgroups)}
        takes={(option) => 'group' in option && mayContain(props.group, option.group.id)}
        isDisabled={reason() !== undefined}
        describedBy={noteId}
      />
      <SettingNote id={noteId} text={reason()} error={error() ?? circle()} />
      <Show when={chosen().length > 0}>
        <div class="setting-buttons" ref={keepFocus}>
          <button
            type="submit"
            class="button primary"
            aria-disabled={isBusy()}
            disabled={circle() !== undefined}
          >
            {t('widget.add')}
          </button>
          <button type="button" class="button" onClick={() => setChosen([])}>
            {t('message.cancel')}
          </button>
        </div>
      </Show>
    </form>
  )
}

function mayContain(group: UserGroup, id: number) {
  return id !== group.id && !group.direct_subgroup_ids.includes(id)
}

/** Says which of the chosen groups would make a circle: one that has this group within it. */
function circleOf({ id: ownId, name: own }: UserGroup, chosen: number[]): string | undefined {
  const around = chosen.find((id) => isWithin(groups(), ownId, id))
  return around === undefined ? undefined : t('groups.circle', { name: groupName(around), own })
}
