import { createMemo, createSignal, For, Show } from 'solid-js'
import { plain } from '../../lib/fuzzy.ts'
import { t } from '../../lib/i18n.ts'
import { inOrder } from '../../lib/in-order.ts'
import { mayCreateGroups } from '../../store/group-rights.ts'
import { groupOf, groups, isAmong, membersOf } from '../../store/groups.ts'
import { currentState } from '../../store/server-state.ts'
import type { UserGroup } from '../../store/server-state-types.ts'
import { openDialog } from '../parts/dialog.tsx'
import { FilterField } from '../parts/filter-field.tsx'
import { Icon } from '../parts/icon.tsx'
import { Known } from '../parts/known.tsx'
import { groupName } from '../settings/parts/group-names.ts'
import { JoinButton } from './join-button.tsx'
import { NewGroup } from './new-group.tsx'

type Kind = 'all' | 'own' | 'deactivated'
const kinds: readonly Kind[] = ['all', 'own', 'deactivated']

/** All groups, to find one, to join and to leave, and to make one. Those of the roles come last. */
export function GroupList() {
  const [words, setWords] = createSignal('')
  const [kind, setKind] = createSignal<Kind>('all')
  const shown = createMemo(() => {
    const found = [...groups().values()].filter((group) => isOf(kind(), group) && isNamed(group, words()))
    return found.sort((a, b) => inOrder(groupName(a.id), groupName(b.id)))
  })
  const named = () => idsOf(shown().filter((group) => !group.is_system_group))
  // Owners first.
  const ofRoles = () => idsOf(shown().filter((group) => group.is_system_group)).sort((a, b) => a - b)
  return (
    <>
      <div class="inbox-filter">
        <For each={kinds}>
          {(one) => (
            <button type="button" class="button" aria-pressed={kind() === one} onClick={() => setKind(one)}>
              {t(`groups.kind_${one}`)}
            </button>
          )}
        </For>
        <FilterField label={t('groups.find')} value={words()} set={setWords} />
        <NewButton />
      </div>
      <Show when={!mayCreateGroups()}>
        <p class="set-note">{t('groups.may_not_create')}</p>
      </Show>
      <Show when={shown().length === 0}>
        <p class="empty">{t(words() || kind() !== 'all' ? 'groups.none_found' : 'groups.none')}</p>
      </Show>
      <Rows ids={named()} label={t('groups.title')} />
      <Show when={ofRoles().length > 0}>
        <h3 class="group-heading">{t('groups.of_roles')}</h3>
        <p class="set-note">{t('groups.of_roles_note')}</p>
        <Rows ids={ofRoles()} label={t('groups.of_roles')} />
      </Show>
    </>
  )
}

function NewButton() {
  return (
    <button
      type="button"
      class="button primary"
      disabled={!mayCreateGroups()}
      title={mayCreateGroups() ? undefined : t('groups.may_not_create')}
      onClick={() => openDialog((close) => <NewGroup close={close} />)}
    >
      <Icon name="plus" />
      {t('groups.new')}
    </button>
  )
}

function isOf(kind: Kind, group: UserGroup): boolean {
  // Nobody is in the first, and the second is for readers without an account.
  if (['role:nobody', 'role:internet'].includes(group.name)) return false
  if (kind === 'deactivated') return group.deactivated
  if (group.deactivated) return false
  return kind === 'all' || isAmong(group.id, currentState().user_id)
}

function isNamed(group: UserGroup, words: string) {
  const text = `${groupName(group.id)} ${group.is_system_group ? '' : group.description}`
  return plain(text).includes(plain(words.trim()))
}

const idsOf = (all: UserGroup[]) => all.map(({ id }) => id)

/** By ids: events change a group in place, and a new registration brings other objects. */
function Rows(props: { ids: number[]; label: string }) {
  return (
    <Show when={props.ids.length > 0}>
      <section class="inbox-group" aria-label={props.label}>
        <ul>
          <For each={props.ids}>
            {(id) => <Known thing={groupOf(id)}>{(group) => <Row group={group()} />}</Known>}
          </For>
        </ul>
      </section>
    </Show>
  )
}

function Row(props: { group: UserGroup }) {
  return (
    <li class="inbox-row group-row">
      <a data-row href={`#groups/${props.group.id}`}>
        <Icon name="people" />
        <span class="inbox-name" dir="auto">
          <span class="channel-name">{groupName(props.group.id)}</span>{' '}
          <span class="inbox-note">{props.group.is_system_group ? '' : props.group.description}</span>
        </span>
        <span class="inbox-note subscriber-count">
          {t('groups.members', { count: membersOf(props.group.id).size })}
        </span>
      </a>
      <Show when={!props.group.is_system_group && !props.group.deactivated}>
        <JoinButton group={props.group} />
      </Show>
    </li>
  )
}
