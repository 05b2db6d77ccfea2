import { createSignal, For, onMount } from 'solid-js'
import { bestCandidates, type Candidate } from '../../lib/candidates.ts'
import { plain } from '../../lib/fuzzy.ts'
import { t } from '../../lib/i18n.ts'
import { activeUsers, avatarOf, nameOf, users } from '../../store/people.ts'
import { currentState, derived, field } from '../../store/server-state.ts'
import type { User } from '../../store/server-state-types.ts'
import { Pill, SuggestionLine } from './pill.tsx'
import { SuggestField } from './suggest-field.tsx'

const rows = 8

const people = derived((): Candidate<User>[] =>
  activeUsers().map((user) => ({ value: user, texts: [plain(user.full_name), plain(user.email)] })),
)

/** The partners of direct conversations, the most recent first. */
const recent = derived(() => {
  const order = new Map<number, number>()
  for (const { user_ids, max_message_id } of field('recent_private_conversations') ?? []) {
    for (const id of user_ids) order.set(id, Math.max(order.get(id) ?? 0, max_message_id))
  }
  return order
})

type Props = { userIds: number[]; change(userIds: number[]): void; done(): void; focus: boolean }

/** The people of a direct message, as pills behind which more can be typed. */
export function Recipients(props: Props) {
  const [typed, setTyped] = createSignal('')
  let input: HTMLInputElement | undefined
  onMount(() => props.focus && input?.focus())
  const change = (userIds: number[]) => {
    props.change(userIds)
    input?.focus()
  }
  const remove = (id: number) => change(props.userIds.filter((other) => other !== id))
  const add = (id: number) => {
    setTyped('')
    change([...props.userIds, id])
  }
  const leave = () => {
    const isHere = document.activeElement === input
    if (isHere && typed().trim() === '' && props.userIds.length > 0) props.done()
  }
  const removeLast = () => {
    const last = props.userIds.at(-1)
    if (last !== undefined) remove(last)
  }
  return (
    <div class="recipients">
      <span class="recipients-to">{t('begin.to')}</span>
      <For each={props.userIds}>
        {(id) => (
          <Pill name={nameOf(id)} remove={() => remove(id)}>
            <img src={avatarOf(id)} alt="" />
          </Pill>
        )}
      </For>
      <SuggestField
        label={t('begin.people')}
        placeholder={props.userIds.length === 0 ? t('begin.people') : ''}
        value={typed()}
        input={setTyped}
        options={optionsFor(typed(), props.userIds)}
        takesFirst={typed().trim() !== ''}
        show={(id) => <PersonLine id={id} />}
        choose={add}
        done={leave}
        erase={removeLast}
        ref={(made) => {
          input = made
        }}
      />
    </div>
  )
}

/**
 * The ids of the people whose names fit and who are not chosen yet: bots after others with whom the user has not talked. Events change
 * people in place, which their lines would not notice.
 */
function optionsFor(typed: string, userIds: number[]): number[] {
  const chosen = new Set([...userIds, currentState().user_id])
  const weight = ({ user_id, is_bot }: User) => (recent().get(user_id) ?? 0) - (is_bot ? 1 : 0)
  return bestCandidates(people(), typed, rows + chosen.size, weight)
    .map(({ user_id }) => user_id)
    .filter((id) => !chosen.has(id))
    .slice(0, rows)
}

function PersonLine(props: { id: number }) {
  return (
    <SuggestionLine name={nameOf(props.id)} note={users().get(props.id)?.delivery_email ?? ''}>
      <img src={avatarOf(props.id)} alt="" />
    </SuggestionLine>
  )
}
