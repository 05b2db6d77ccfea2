import { createSignal, For, onMount } from 'solid-js'
import { bestCandidates, type Candidate } from '../../lib/candidates.ts'
import { plain } from '../../lib/fuzzy.ts'
import { t } from '../../lib/i18n.ts'
import { activeUsers, avatarOf, nameOf } from '../../store/people.ts'
import { currentState, derived, field } from '../../store/server-state.ts'
import type { User } from '../../store/server-state-types.ts'
import { Icon } from '../parts/icon.tsx'
import { SuggestField } from './suggest-field.tsx'

const rows = 8

const people = derived((): Candidate<User>[] =>
  activeUsers().map((user) => ({ value: user, texts: [plain(user.full_name), plain(user.email)] })),
)

/** Those with whom the user talks, the last ones first. */
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
  const options = () => {
    const chosen = new Set([...props.userIds, currentState().user_id])
    const weight = ({ user_id, is_bot }: User) => (recent().get(user_id) ?? 0) - (is_bot ? 1 : 0)
    return bestCandidates(people(), typed(), rows + chosen.size, weight)
      .filter(({ user_id }) => !chosen.has(user_id))
      .slice(0, rows)
  }
  const remove = (id: number) => {
    props.change(props.userIds.filter((other) => other !== id))
    input?.focus()
  }
  return (
    <div class="recipients">
      <span class="recipients-to">{t('begin.to')}</span>
      <For each={props.userIds}>
        {(id) => (
          <span class="pill">
            <img src={avatarOf(id)} alt="" />
            <span dir="auto">{nameOf(id)}</span>
            <button
              type="button"
              aria-label={t('begin.remove', { name: nameOf(id) })}
              onClick={() => remove(id)}
            >
              <Icon name="close" />
            </button>
          </span>
        )}
      </For>
      <SuggestField
        label={t('begin.people')}
        placeholder={props.userIds.length === 0 ? t('begin.people') : ''}
        value={typed()}
        input={setTyped}
        options={options()}
        takesFirst={typed().trim() !== ''}
        show={(user) => (
          <>
            <span class="suggestion-sign">
              <img src={avatarOf(user.user_id)} alt="" />
            </span>
            <span class="suggestion-label" dir="auto">
              {user.full_name}
            </span>
            <span class="suggestion-note" dir="auto">
              {user.delivery_email ?? ''}
            </span>
          </>
        )}
        choose={(user) => {
          setTyped('')
          props.change([...props.userIds, user.user_id])
          input?.focus()
        }}
        done={() => {
          if (document.activeElement === input && typed().trim() === '' && props.userIds.length > 0)
            props.done()
        }}
        erase={() => {
          const last = props.userIds.at(-1)
          if (last !== undefined) remove(last)
        }}
        ref={(made) => {
          input = made
        }}
      />
    </div>
  )
}
