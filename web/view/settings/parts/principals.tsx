import './principals.css'
import { createSignal, For, Show } from 'solid-js'
import { bestCandidates, type Candidate } from '../../../lib/candidates.ts'
import { plain } from '../../../lib/fuzzy.ts'
import { t } from '../../../lib/i18n.ts'
import { channelOf, channels, shownChannel } from '../../../store/channels.ts'
import { activeUsers, avatarOf, nameOf } from '../../../store/people.ts'
import { derived, field } from '../../../store/server-state.ts'
import type { Channel, User, UserGroup } from '../../../store/server-state-types.ts'
import { Pill, SuggestionLine } from '../../compose/pill.tsx'
import { SuggestField } from '../../compose/suggest-field.tsx'
import { ChannelIcon } from '../../parts/channel-icon.tsx'
import { Icon } from '../../parts/icon.tsx'
import { type Chosen, groupName } from './group-names.ts'

const rows = 8

type Option = { user: User } | { group: UserGroup } | { channel: Channel }

const candidateOf = (user: User): Candidate<Option> => ({
  value: { user },
  texts: [plain(user.full_name), plain(user.email)],
})

const people = derived(() => activeUsers().map(candidateOf))
const formerPeople = derived(() => (field('realm_non_active_users') ?? []).map(candidateOf))

/** Groups that can be chosen: named ones, and those of roles. */
const groups = derived((): Candidate<Option>[] =>
  (field('realm_user_groups') ?? [])
    .filter(({ deactivated, name }) => !deactivated && !['role:nobody', 'role:internet'].includes(name))
    .map((group) => ({ value: { group }, texts: [plain(groupName(group.id))] })),
)

/** Channels, whose subscribers are meant. */
const allChannels = derived((): Candidate<Option>[] =>
  [...channels().values()]
    .filter(({ is_archived }) => !is_archived)
    .map((channel) => ({ value: { channel }, texts: [plain(channel.name), plain(`#${channel.name}`)] })),
)

type Props = {
  label: string
  placeholder?: string
  chosen: Chosen
  change(chosen: Chosen): void
  /** Shown when nothing is chosen. */
  empty?: string
  /** The channels that are chosen, where channels can be. */
  channels?: { chosen: number[]; change(ids: number[]): void }
  takes?(option: { userId: number } | { group: UserGroup }): boolean
  /** Whether deactivated users can be chosen as well. */
  hasFormer?: boolean
  isDisabled?: boolean
  describedBy?: string
}

/** People and groups as pills, behind which more can be typed. */
export function Principals(props: Props) {
  const list = createPrincipals(props)
  const isEmpty = () =>
    props.chosen.direct_members.length === 0 &&
    props.chosen.direct_subgroups.length === 0 &&
    !props.channels?.chosen.length
  return (
    <fieldset
      class="principals"
      classList={{ disabled: props.isDisabled ?? false }}
      aria-label={props.label}
      aria-describedby={props.describedBy}
    >
      <Show when={isEmpty() && props.empty}>{(text) => <span class="inbox-note">{text()}</span>}</Show>
      <Pills {...props} list={list} />
      <Show when={!props.isDisabled}>
        <SuggestField
          label={t('principals.add', { name: props.label })}
          placeholder={props.placeholder ?? t('principals.placeholder')}
          value={list.typed()}
          input={list.setTyped}
          options={list.options()}
          takesFirst={list.typed().trim() !== ''}
          show={(option) => <OptionLine option={option} />}
          choose={list.add}
          erase={list.removeLast}
          ref={list.setInput}
        />
      </Show>
    </fieldset>
  )
}

function Pills(props: Props & { list: ReturnType<typeof createPrincipals> }) {
  return (
    <>
      <For each={props.channels?.chosen ?? []}>
        {(id) => (
          <Pill
            name={shownChannel(id)}
            isFixed={props.isDisabled}
            remove={() => props.list.removeChannel(id)}
          >
            <ChannelIcon channel={channelOf(id)} />
          </Pill>
        )}
      </For>
      <For each={props.chosen.direct_subgroups}>
        {(id) => (
          <Pill
            name={groupName(id)}
            isFixed={props.isDisabled}
            remove={() => props.list.remove('direct_subgroups', id)}
          >
            <Icon name="people" />
          </Pill>
        )}
      </For>
      <For each={props.chosen.direct_members}>
        {(id) => (
          <Pill
            name={nameOf(id)}
            isFixed={props.isDisabled}
            remove={() => props.list.remove('direct_members', id)}
          >
            <img src={avatarOf(id)} alt="" />
          </Pill>
        )}
      </For>
    </>
  )
}

/**
 * The text of the field, its suggestions, and the functions that change the choice. Each of those returns the focus to
 * the field.
 */
function createPrincipals(props: Props) {
  const [typed, setTyped] = createSignal('')
  let input: HTMLInputElement | undefined
  const changed = () => {
    input?.closest('fieldset')?.setAttribute('data-changed', '')
    input?.focus()
  }
  const change = (chosen: Partial<Chosen>) => {
    props.change({ ...props.chosen, ...chosen })
    changed()
  }
  const remove = (kind: keyof Chosen, id: number) =>
    change({ [kind]: props.chosen[kind].filter((other) => other !== id) })
  const removeChannel = (id: number) => {
    props.channels?.change(props.channels.chosen.filter((other) => other !== id))
    changed()
  }
  return {
    typed,
    setTyped,
    setInput(made: HTMLInputElement) {
      input = made
    },
    options: () => optionsFor(typed(), (option) => isOffered(option, props), props.hasFormer ?? false),
    removeChannel,
    add(option: Option) {
      const { direct_members, direct_subgroups } = props.chosen
      setTyped('')
      if ('user' in option) change({ direct_members: withId(direct_members, option.user.user_id) })
      else if ('channel' in option)
        props.channels?.change([...props.channels.chosen, option.channel.stream_id])
      else change({ direct_subgroups: withId(direct_subgroups, option.group.id) })
    },
    remove,
    removeLast() {
      const kind = props.chosen.direct_members.length > 0 ? 'direct_members' : 'direct_subgroups'
      const last = props.chosen[kind].at(-1)
      const lastChannel = props.channels?.chosen.at(-1)
      if (last !== undefined) remove(kind, last)
      else if (lastChannel !== undefined) removeChannel(lastChannel)
    },
  }
}

function withId(ids: number[], id: number): number[] {
  return [...ids, id].sort((a, b) => a - b)
}

function isOffered(option: Option, { chosen, channels, takes }: Props): boolean {
  if ('channel' in option)
    return channels !== undefined && !channels.chosen.includes(option.channel.stream_id)
  if ('user' in option) {
    const userId = option.user.user_id
    return !chosen.direct_members.includes(userId) && (takes?.({ userId }) ?? true)
  }
  return !chosen.direct_subgroups.includes(option.group.id) && (takes?.(option) ?? true)
}

/** Groups are few, so they come first; people when something is typed. */
function optionsFor(typed: string, isOffered: (option: Option) => boolean, hasFormer: boolean): Option[] {
  const matching = (candidates: Candidate<Option>[]) =>
    bestCandidates(
      candidates.filter(({ value }) => isOffered(value)),
      typed,
      rows,
    )
  const found = matching(groups())
  if (!typed.trim()) return found
  const former = hasFormer ? matching(formerPeople()) : []
  const offered = [...found.slice(0, rows / 2), ...matching(people()), ...former, ...matching(allChannels())]
  return offered.slice(0, rows)
}

function OptionLine(props: { option: Option }) {
  const option = props.option
  if ('user' in option)
    return (
      <SuggestionLine name={option.user.full_name} note={option.user.delivery_email ?? ''}>
        <img src={avatarOf(option.user.user_id)} alt="" />
      </SuggestionLine>
    )
  if ('channel' in option) {
    const count = option.channel.subscriber_count ?? 0
    return (
      <SuggestionLine name={option.channel.name} note={t('channels.subscribers', { count })}>
        <ChannelIcon channel={option.channel} />
      </SuggestionLine>
    )
  }
  return (
    <SuggestionLine
      name={groupName(option.group.id)}
      note={option.group.is_system_group ? '' : option.group.description}
    >
      <Icon name="people" />
    </SuggestionLine>
  )
}
