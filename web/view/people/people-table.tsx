import './people-table.css'
import { createEffect, createMemo, createSignal, For, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { nameOf } from '../../store/people.ts'
import { Icon } from '../parts/icon.tsx'
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
  const [marked, setMarked] = createSignal<ReadonlySet<number>>(new Set())
  const sorted = createMemo(() => byName(props.ids))
  const found = createMemo(() => namedLike(sorted(), words()))
  const removable = createMemo(() =>
    props.isReadOnly ? [] : found().filter((id) => props.refusal(id) === undefined),
  )
  /** Those who have gone in the meantime do not count. */
  const chosen = createMemo(() => removable().filter((id) => marked().has(id)))
  // A mark does not outlive its row, even if the user comes back.
  createEffect(() => {
    const here = props.ids
    setMarked((all) =>
      [...all].every((id) => here.has(id)) ? all : new Set([...all].filter((id) => here.has(id))),
    )
  })
  const [isBusy, setBusy] = createSignal(false)
  const removeChosen = () => {
    setBusy(true)
    void props.remove(chosen()).finally(() => setBusy(false))
  }
  const mark = (ids: number[], isOn: boolean) =>
    setMarked((all) => {
      const next = new Set(all)
      for (const id of ids) isOn ? next.add(id) : next.delete(id)
      return next
    })
  return (
    <>
      <div class="people-tools">
        <p class="inbox-note" role="status">
          {props.ids.size === 0 ? props.empty : (props.count ?? peopleCount)(found().length)}
        </p>
        <PeopleFilter set={setWords} />
      </div>
      <div class="people-tools choosing">
        <Show when={removable().length > 1}>
          <label class="choice">
            <input
              type="checkbox"
              checked={chosen().length === removable().length}
              onChange={(event) => mark(removable(), event.currentTarget.checked)}
            />
            {t('people.choose_all', { count: removable().length })}
          </label>
        </Show>
        <Show when={chosen().length > 0}>
          <button type="button" class="button danger" disabled={isBusy()} onClick={removeChosen}>
            {props.removeMany(chosen().length)}
          </button>
        </Show>
      </div>
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

function Row(
  props: Props & { id: number; isMarked: boolean; isChoosing: boolean; mark(isOn: boolean): void },
) {
  const refusal = () => props.refusal(props.id)
  const label = () => props.removeLabel(nameOf(props.id))
  return (
    <li>
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
          aria-label={label()}
          title={refusal() ?? label()}
          onClick={() => void props.remove([props.id])}
        >
          <Icon name="close" />
        </button>
      </Show>
    </li>
  )
}
