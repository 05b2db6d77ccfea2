import { createMemo, createSignal, createUniqueId, For, Show } from 'solid-js'
import { post, remove } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { mayAddSubscribers, mayRemoveSubscribers } from '../../store/channel-rights.ts'
import { membersOf } from '../../store/groups.ts'
import { nameOf, users } from '../../store/people.ts'
import { currentState } from '../../store/server-state.ts'
import type { Channel } from '../../store/server-state-types.ts'
import { useSubscribers } from '../../store/subscribers.ts'
import { Icon } from '../parts/icon.tsx'
import { notice, noticeFailure } from '../parts/notices.tsx'
import { byName, namedLike, PeopleFilter, shownAtMost } from '../people/find-people.tsx'
import { PersonButton } from '../people/person-button.tsx'
import type { Chosen } from '../settings/parts/group-names.ts'
import { Principals } from '../settings/parts/principals.tsx'
import { SettingNote, useUnsaved } from '../settings/parts/setting.tsx'

/** Who is subscribed to a channel, to add to and to remove from. */
export function Subscribers(props: { channel: Channel }) {
  const { ids, failure } = useSubscribers(() => props.channel.stream_id)
  return (
    <div class="settings">
      <AddPeople channel={props.channel} isSubscribed={(id) => ids()?.has(id) ?? false} />
      <Show when={failure()}>
        {(error) => (
          <p class="error-text" role="alert">
            {error().message}
          </p>
        )}
      </Show>
      <Show when={ids()} fallback={<Show when={!failure()}>{t('app.loading')}</Show>}>
        {(all) => <List channel={props.channel} ids={all()} />}
      </Show>
    </div>
  )
}

const nobodyChosen: Chosen = { direct_members: [], direct_subgroups: [] }

/** The users who are meant, each once: those chosen, and the members of chosen groups. */
export function usersIn({ direct_members, direct_subgroups }: Chosen): number[] {
  const all = new Set(direct_members)
  for (const id of direct_subgroups) for (const member of membersOf(id)) all.add(member)
  return [...all].filter((id) => users().get(id)?.is_active !== false)
}

function AddPeople(props: { channel: Channel; isSubscribed(id: number): boolean }) {
  const id = createUniqueId()
  const [chosen, setChosen] = createSignal(nobodyChosen)
  const [error, setError] = createSignal<string>()
  const [isBusy, setBusy] = createSignal(false)
  const wanted = createMemo(() => usersIn(chosen()).filter((one) => !props.isSubscribed(one)))
  const isEmpty = () => chosen().direct_members.length + chosen().direct_subgroups.length === 0
  useUnsaved(() => !isEmpty())
  const reason = () => (mayAddSubscribers(props.channel) ? undefined : t('subscribers.may_not_add'))
  async function add() {
    setBusy(true)
    setError(undefined)
    try {
      const count = wanted().length
      if (count > 0)
        await post('/users/me/subscriptions', {
          subscriptions: [{ name: props.channel.name }],
          principals: wanted(),
        })
      setChosen(nobodyChosen)
      notice(t('subscribers.added', { count }))
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure))
    }
    setBusy(false)
  }
  return (
    <form
      class="setting"
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <span class="setting-name" aria-hidden="true">
        {t('subscribers.add')}
      </span>
      <Principals
        label={t('subscribers.add')}
        chosen={chosen()}
        change={setChosen}
        takes={(option) => !('userId' in option) || !props.isSubscribed(option.userId)}
        isDisabled={reason() !== undefined}
        describedBy={id}
      />
      <SettingNote
        id={id}
        error={error()}
        text={reason() ?? (isEmpty() ? undefined : t('subscribers.will_add', { count: wanted().length }))}
      />
      <Show when={!isEmpty()}>
        <div class="setting-buttons">
          <button type="submit" class="button primary" disabled={isBusy()}>
            {t('subscribers.submit')}
          </button>
        </div>
      </Show>
    </form>
  )
}

function List(props: { channel: Channel; ids: ReadonlySet<number> }) {
  const [words, setWords] = createSignal('')
  const sorted = createMemo(() => byName(props.ids))
  const found = createMemo(() => namedLike(sorted(), words()))
  return (
    <section class="setting" aria-label={t('channel.members')}>
      <PeopleFilter set={setWords} />
      <p class="inbox-note" role="status">
        {props.ids.size === 0 ? t('channel.nobody') : t('channels.subscribers', { count: found().length })}
      </p>
      <ul class="people-list subscriber-list">
        <For each={found().slice(0, shownAtMost)}>
          {(id) => (
            <li>
              <PersonButton id={id} />
              <RemoveButton channel={props.channel} userId={id} />
            </li>
          )}
        </For>
      </ul>
      <Show when={found().length > shownAtMost}>
        <p class="inbox-note">{t('subscribers.more', { count: found().length - shownAtMost })}</p>
      </Show>
    </section>
  )
}

function RemoveButton(props: { channel: Channel; userId: number }) {
  const isOwn = () =>
    props.userId === currentState().user_id ||
    users().get(props.userId)?.bot_owner_id === currentState().user_id
  const mayRemove = () => isOwn() || mayRemoveSubscribers(props.channel)
  const label = () => t('subscribers.remove', { name: nameOf(props.userId) })
  const drop = () => {
    const { name } = props.channel
    const who = nameOf(props.userId)
    remove('/users/me/subscriptions', { subscriptions: [name], principals: [props.userId] }).then(
      () => notice(t('subscribers.removed', { name: who })),
      noticeFailure,
    )
  }
  return (
    <button
      type="button"
      class="icon-button"
      disabled={!mayRemove()}
      aria-label={label()}
      title={mayRemove() ? label() : t('subscribers.may_not_remove')}
      onClick={drop}
    >
      <Icon name="close" />
    </button>
  )
}
