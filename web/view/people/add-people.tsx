import { createMemo, createResource, createSignal, createUniqueId, Show } from 'solid-js'
import { get, untilDone } from '../../api/client.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { t } from '../../lib/i18n.ts'
import { membersOf } from '../../store/groups.ts'
import { isDeactivated } from '../../store/people.ts'
import { keepFocus } from '../parts/keep-focus.ts'
import { notice } from '../parts/notices.tsx'
import { useSubmission } from '../parts/submission.ts'
import { useUnsaved } from '../parts/unsaved.ts'
import type { Chosen } from '../settings/parts/group-names.ts'
import { Principals } from '../settings/parts/principals.tsx'
import { SettingNote } from '../settings/parts/setting.tsx'

type Props = {
  label: string
  /** Why the user may not add anyone. */
  reason: string | undefined
  isIn(userId: number): boolean
  /** The texts before and after users are added. */
  willAdd(count: number): string
  done(count: number): string
  add(userIds: number[]): Promise<unknown>
  /** The text of the button. */
  submit?: string
}

const nothing: Chosen = { direct_members: [], direct_subgroups: [] }

/** Adds people: those chosen, the members of chosen groups, and the subscribers of chosen channels. */
export function AddPeople(props: Props) {
  const noteId = createUniqueId()
  const choice = createChoice(props)
  const { isBusy, error, run } = useSubmission()
  useUnsaved({ isChanged: () => !choice.isEmpty(), isBeingSaved: isBusy })
  const add = async () => {
    const [ids, chosen, channels] = [choice.userIds(), choice.chosen(), choice.channels()]
    if (ids.length > 0) await props.add(ids)
    // The user may have chosen others meanwhile.
    if (choice.chosen() === chosen && choice.channels() === channels) choice.reset()
    notice(props.done(ids.length))
  }
  const note = () => (choice.isEmpty() ? undefined : props.willAdd(choice.userIds().length))
  return (
    <form
      class="setting add-people"
      onSubmit={(event) => {
        event.preventDefault()
        void run(add)
      }}
    >
      <span class="setting-name" aria-hidden="true">
        {props.label}
      </span>
      <Principals
        label={props.label}
        placeholder={t('people.add_placeholder')}
        chosen={choice.chosen()}
        change={choice.setChosen}
        channels={{ chosen: choice.channels(), change: choice.setChannels }}
        takes={(option) => !('userId' in option) || !props.isIn(option.userId)}
        isDisabled={props.reason !== undefined}
        describedBy={noteId}
      />
      <SettingNote id={noteId} error={error() ?? choice.failure()} text={props.reason ?? note()} />
      <Show when={!choice.isEmpty()}>
        <div class="setting-buttons" ref={keepFocus}>
          <button type="submit" class="button primary" aria-disabled={isBusy()} disabled={!choice.isKnown()}>
            {props.submit ?? t('widget.add')}
          </button>
          <button type="button" class="button" onClick={choice.reset}>
            {t('message.cancel')}
          </button>
        </div>
      </Show>
    </form>
  )
}

/** The choice, and the users whom it adds: those who are not members yet. */
function createChoice(props: Props) {
  const [chosen, setChosen] = createSignal(nothing)
  const [channels, setChannels] = createSignal<number[]>([])
  const subscribers = useSubscribersOf(channels)
  const userIds = createMemo(() => {
    const all = new Set([...usersIn(chosen()), ...(subscribers.all() ?? [])])
    return [...all].filter((id) => !isDeactivated(id) && !props.isIn(id))
  })
  const isEmpty = () =>
    chosen().direct_members.length + chosen().direct_subgroups.length + channels().length === 0
  const reset = () => {
    setChosen(nothing)
    setChannels([])
  }
  return {
    chosen,
    setChosen,
    channels,
    setChannels,
    userIds,
    isEmpty,
    reset,
    /** Whether the subscribers of the chosen channels have been read. */
    isKnown: () => subscribers.all() !== undefined,
    failure: subscribers.failure,
  }
}

/** The users who are meant, each once: those chosen, and the members of chosen groups. */
export function usersIn({ direct_members, direct_subgroups }: Chosen): number[] {
  const all = new Set(direct_members)
  for (const id of direct_subgroups) for (const member of membersOf(id)) all.add(member)
  return [...all].filter((id) => !isDeactivated(id))
}

/** The subscribers of channels, read when they are chosen; undefined while they are on their way. */
function useSubscribersOf(channels: () => number[]) {
  const [all] = createResource(channels, async (ids) => {
    const each = await Promise.all(
      ids.map((id) => untilDone(() => get<{ subscribers: number[] }>(`/streams/${id}/members`))),
    )
    return each.flatMap(({ subscribers }) => subscribers)
  })
  return {
    all: () => (all.loading || all.error ? undefined : all()),
    failure: () => all.error && errorMessage(all.error),
  }
}
