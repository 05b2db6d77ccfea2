import './people-table.css'
import { createEffect, createMemo, createSignal, For, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { nameOf } from '../../store/people.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { CheckBox } from '../parts/fields.tsx'
import { Icon } from '../parts/icon.tsx'
import { keepFocus } from '../parts/keep-focus.ts'
import { usePress } from '../parts/submission.ts'
import { byName, namedLike, PeopleFilter, shownAtMost } from './find-people.tsx'
import { PersonButton } from './person-button.tsx'

type Props = {
  ids: ReadonlySet<number>
  /** Said where there are none. */
  empty: string
  /** How many they are; "5 people" if this is left out. */
  count?(count: number): string
  /** Said beside a name. */
  note?(userId: number): string
  /** Why a user cannot be removed; undefined if they can. */
  refusal(userId: number): string | undefined
  removeLabel(name: string): string
  removeMany(count: number): string
  remove(userIds: number[]): Promise<unknown>
  isReadOnly?: boolean
}

const peopleCount = (count: number) => t('people.count', { count })

/** People by name, to find, and to remove one by one or several together. */
export function PeopleTable(props: Props) {
  const [words, setWords] = createSignal('')
  const sorted = createMemo<number[]>((before) => byName(props.ids, before))
  const found = createMemo(() => namedLike(sorted(), words()))
  const removable = createMemo(() =>
    props.isReadOnly ? [] : found().filter((id) => props.refusal(id) === undefined),
  )
  const { marked, mark } = createMarks(() => props.ids)
  return (
    <>
      <div class="people-tools">
        <p class="inbox-note" role="status">
          {props.ids.size === 0 ? props.empty : (props.count ?? peopleCount)(found().length)}
        </p>
        <PeopleFilter set={setWords} />
      </div>
      <RemovingTools {...props} removable={removable()} marked={marked()} mark={mark} />
      <ul class="people-list people-table">
        <For each={found().slice(0, shownAtMost)}>
          {(id) => (
            <Row
              {...props}
              id={id}
              isMarked={marked().has(id)}
              mark={(isOn) => mark([id], isOn)}
              isChoosing={removable().length > 1}
            />
          )}
        </For>
      </ul>
      <Show when={found().length > shownAtMost}>
        <p class="inbox-note">{t('subscribers.more', { count: found().length - shownAtMost })}</p>
      </Show>
    </>
  )
}

/** The people who are selected. */
function createMarks(ids: () => ReadonlySet<number>) {
  const [marked, setMarked] = createSignal<ReadonlySet<number>>(new Set())
  // A mark does not outlive its row, even if the user comes back.
  createEffect(() => {
    const here = ids()
    setMarked((all) =>
      [...all].every((id) => here.has(id)) ? all : new Set([...all].filter((id) => here.has(id))),
    )
  })
  const mark = (these: number[], isOn: boolean) =>
    setMarked((all) => {
      const next = new Set(all)
      for (const id of these) isOn ? next.add(id) : next.delete(id)
      return next
    })
  return { marked, mark }
}

/** Selects all that are found, and removes those who are selected. */
function RemovingTools(
  props: Props & {
    removable: number[]
    marked: ReadonlySet<number>
    mark(ids: number[], isOn: boolean): void
  },
) {
  /** Users who have left in the meantime do not count. */
  const chosen = createMemo(() => props.removable.filter((id) => props.marked.has(id)))
  return (
    <div class="people-tools choosing">
      <Show when={props.removable.length > 1}>
        <CheckBox
          label={t('people.choose_all', { count: props.removable.length })}
          isOn={chosen().length === props.removable.length}
          set={(isOn) => props.mark(props.removable, isOn)}
        />
      </Show>
      <Show when={chosen().length > 0}>
        <ActionButton ref={keepFocus} isDangerous run={() => props.remove(chosen())}>
          {props.removeMany(chosen().length)}
        </ActionButton>
      </Show>
    </div>
  )
}

function Row(
  props: Props & { id: number; isMarked: boolean; isChoosing: boolean; mark(isOn: boolean): void },
) {
  const refusal = () => props.refusal(props.id)
  const label = () => props.removeLabel(nameOf(props.id))
  const { isBusy, press } = usePress(() => props.remove([props.id]))
  return (
    <li ref={keepFocus}>
      <Show when={props.isChoosing}>
        <input
          type="checkbox"
          checked={props.isMarked}
          disabled={refusal() !== undefined}
          aria-label={nameOf(props.id)}
          onChange={(event) => props.mark(event.currentTarget.checked)}
        />
      </Show>
      <PersonButton id={props.id} />
      <span class="why">{props.note?.(props.id)}</span>
      <Show when={!props.isReadOnly}>
        <button
          type="button"
          class="icon-button"
          disabled={refusal() !== undefined}
          aria-disabled={isBusy()}
          aria-label={label()}
          title={refusal() ?? label()}
          onClick={press}
        >
          <Icon name="close" />
        </button>
      </Show>
    </li>
  )
}
