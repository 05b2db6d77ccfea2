import { FilterField } from '../parts/filter-field.tsx'
import '../inbox/inbox.css'
import { createResource, createSignal, For, lazy, Show } from 'solid-js'
import { get, untilDone } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { linkTo } from '../../lib/router.ts'
import { loadWithTexts } from '../../lib/with-texts.ts'
import { channelOf, isFollowed, isMutedTopic, shownTopic } from '../../store/channels.ts'
import { currentState } from '../../store/server-state.ts'
import { isSpectator } from '../../store/spectator.ts'
import { unreadInTopic } from '../../store/unread.ts'
import { mayMoveChannel, mayResolve } from '../message/permissions.ts'
import { ChannelIcon } from '../parts/channel-icon.tsx'
import { Icon } from '../parts/icon.tsx'
import { ViewHead } from '../shell/view-head.tsx'

type Topic = { name: string; max_id: number }

const BulkTopics = lazy(async () => {
  const { BulkTopics } = await loadWithTexts(() => import('../message/bulk-topics.tsx'))
  return { default: BulkTopics }
})

function toggled(all: ReadonlySet<string>, name: string) {
  const next = new Set(all)
  if (!next.delete(name)) next.add(name)
  return next
}

/** Whether the user may do anything with several topics. */
function mayChoose(channelId: number) {
  if (isSpectator()) return false
  return currentState().is_admin || mayMoveChannel(channelId) || mayResolve(channelId)
}

/** The topics of a channel, the newest first. */
export function Topics(props: { channelId: number; openRail(): void }) {
  const [words, setWords] = createSignal('')
  const [chosen, setChosen] = createSignal<ReadonlySet<string>>(new Set())
  const end = () => setChosen(new Set<string>())
  const [topics, { refetch }] = createResource(
    () => props.channelId,
    (id) =>
      untilDone(() =>
        get<{ topics: Topic[] }>(`/users/me/${id}/topics`, { allow_empty_topic_name: true }),
      ).then((found) => found.topics),
  )
  const shown = () =>
    (topics.latest ?? []).filter(({ name }) => shownTopic(name).toLowerCase().includes(words().toLowerCase()))
  return (
    <>
      <ViewHead
        openRail={props.openRail}
        title={
          <>
            <ChannelIcon channel={channelOf(props.channelId)} />
            <a href={linkTo({ view: 'narrow', terms: [{ operator: 'channel', operand: props.channelId }] })}>
              {channelOf(props.channelId)?.name}
            </a>
            <Icon name="right" />
            <span class="title-text">{t('view.topics')}</span>
          </>
        }
      />
      <div class="view-body topics">
        <div class="inbox-filter">
          <FilterField label={t('inbox.filter')} value={words()} set={setWords} />
        </div>
        <Show when={chosen().size > 0}>
          <BulkTopics
            channelId={props.channelId}
            topics={(topics.latest ?? []).filter(({ name }) => chosen().has(name))}
            end={end}
            done={() => {
              end()
              void refetch()
            }}
          />
        </Show>
        <Show when={topics.latest?.length === 0}>
          <p class="empty">{t('topics.empty')}</p>
        </Show>
        <section class="inbox-group">
          <ul>
            <For each={shown()}>
              {({ name }) => (
                <li class="inbox-row topic-row">
                  <Show when={mayChoose(props.channelId)}>
                    <input
                      type="checkbox"
                      checked={chosen().has(name)}
                      aria-label={t('bulk.choose', { name: shownTopic(name) })}
                      onChange={() => setChosen((all) => toggled(all, name))}
                    />
                  </Show>
                  <a
                    href={linkTo({
                      view: 'narrow',
                      terms: [
                        { operator: 'channel', operand: props.channelId },
                        { operator: 'topic', operand: name },
                      ],
                    })}
                  >
                    <span
                      class="inbox-name"
                      dir="auto"
                      classList={{ nameless: name === '', 'inbox-note': isMutedTopic(props.channelId, name) }}
                    >
                      {shownTopic(name)}
                    </span>
                    <Show when={isFollowed(props.channelId, name)}>
                      <Icon name="bell" />
                      <span class="visually-hidden">{t('topic.policy_followed')}</span>
                    </Show>
                    <Show when={unreadInTopic(props.channelId, name)}>
                      {(unread) => (
                        <span class="count" classList={{ calm: unread().calls === 0 }}>
                          {unread().ids.length}
                        </span>
                      )}
                    </Show>
                  </a>
                </li>
              )}
            </For>
          </ul>
        </section>
      </div>
    </>
  )
}
