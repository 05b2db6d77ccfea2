import { For } from 'solid-js'
import { post, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { inOrder } from '../../../lib/in-order.ts'
import { lowerName } from '../../../lib/same-name.ts'
import { channelName } from '../../../store/channels.ts'
import { mutedUsers, nameOf } from '../../../store/people.ts'
import { currentState, field } from '../../../store/server-state.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { conversationName } from '../../parts/conversation-name.ts'
import { noticeFailure } from '../../parts/notices.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { List, ListText } from '../parts/list.tsx'
import { Principals } from '../parts/principals.tsx'
import { Section } from '../parts/section.tsx'

type UserTopic = { stream_id: number; topic_name: string; visibility_policy: number; last_updated: number }

const policies = [
  [0, 'muted.as_channel'],
  [1, 'muted.muted'],
  [2, 'muted.unmuted'],
  [3, 'muted.followed'],
] as const

/** People and topics that the user has muted, and topics that they follow. */
export function Muted() {
  return (
    <>
      <People />
      <Topics />
    </>
  )
}

function People() {
  const ids = () => [...mutedUsers()].sort((a, b) => inOrder(nameOf(a), nameOf(b)))
  const mute = (all: number[]) => {
    const added = all.find((id) => !mutedUsers().has(id))
    if (added !== undefined) void post(`/users/me/muted_users/${added}`).catch(noticeFailure)
  }
  return (
    <Section title={t('muted.people')} note={t('muted.people_note')}>
      <List label={t('muted.people')} items={ids()} empty={t('muted.nobody')}>
        {(id) => (
          <>
            <ListText title={nameOf(id)} />
            <ActionButton
              label={t('muted.unmute', { name: nameOf(id) })}
              run={() => remove(`/users/me/muted_users/${id}`)}
            >
              {t('muted.unmute_short')}
            </ActionButton>
          </>
        )}
      </List>
      <Principals
        label={t('muted.mute_person')}
        chosen={{ direct_members: [], direct_subgroups: [] }}
        change={({ direct_members }) => mute(direct_members)}
        takes={(option) =>
          'userId' in option && option.userId !== currentState().user_id && !mutedUsers().has(option.userId)
        }
      />
    </Section>
  )
}

function Topics() {
  const topics = () => (field('user_topics') ?? []).filter((one) => one.visibility_policy !== 0)
  return (
    <Section title={t('muted.topics')}>
      <DataTable
        label={t('muted.topics')}
        rows={topics()}
        idOf={(one) => `${one.stream_id}:${lowerName(one.topic_name)}`}
        columns={columns()}
        textOf={(one) => `${channelName(one.stream_id) ?? ''} ${one.topic_name}`}
        sortedBy={0}
        empty={t('muted.no_topic')}
      />
    </Section>
  )
}

/** Saves the policy that was chosen from a list; if that fails, the list shows the one that holds. */
function choose(list: HTMLSelectElement, { stream_id, topic_name: topic, visibility_policy }: UserTopic) {
  void post('/user_topics', { stream_id, topic, visibility_policy: Number(list.value) }).catch((error) => {
    list.value = String(visibility_policy)
    noticeFailure(error)
  })
}

function columns(): Column<UserTopic>[] {
  const place = (one: UserTopic) => conversationName({ channelId: one.stream_id, topic: one.topic_name })
  return [
    {
      name: t('muted.topic'),
      show: (one) => <span dir="auto">{place(one())}</span>,
      compare: (a, b) => inOrder(place(a), place(b)),
    },
    {
      name: t('muted.policy'),
      show: (one) => (
        <select
          class="field"
          aria-label={place(one())}
          onChange={({ currentTarget }) => choose(currentTarget, one())}
        >
          <For each={policies}>
            {([value, text]) => (
              <option value={value} selected={one().visibility_policy === value}>
                {t(text)}
              </option>
            )}
          </For>
        </select>
      ),
      compare: (a, b) => a.visibility_policy - b.visibility_policy,
    },
  ]
}
