import './organization.css'
import { createEffect, createMemo, createResource, For, on, onCleanup, Show } from 'solid-js'
import { get, untilDone } from '../../../api/client.ts'
import type { WireEvent } from '../../../api/stream.ts'
import { t } from '../../../lib/i18n.ts'
import { linkTo } from '../../../lib/router.ts'
import { isResolved, shownTopic } from '../../../store/channels.ts'
import type { Message } from '../../../store/messages.ts'
import { field } from '../../../store/server-state.ts'
import { onEvents } from '../../../store/session.ts'
import { unreadInTopic } from '../../../store/unread.ts'
import { mayResolve } from '../../message/permissions.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { channelInText } from '../../parts/channel-in-text.ts'
import { ErrorText } from '../../parts/error-text.tsx'
import { toggleResolved } from '../../topic/commands.ts'
import { Section } from '../parts/section.tsx'

type Topic = { name: string; max_id: number }

/** Lists the reports: a topic of the moderators' channel for each person, unresolved ones first. */
export function Reports() {
  const channelId = () => field('realm_moderation_request_channel_id')
  const [topics, { refetch }] = createResource(channelId, (id) =>
    untilDone(() =>
      get<{ topics: Topic[] }>(`/users/me/${id}/topics`, { allow_empty_topic_name: true }),
    ).then((found) => found.topics),
  )
  // Another report, or a topic that is resolved elsewhere.
  const refresh = seldom(() => void refetch())
  onCleanup(
    onEvents((events) => {
      if (events.some((event) => concerns(event, channelId()))) refresh()
    }),
  )
  createEffect(
    on(
      () => field('queue_id'),
      () => void refetch(),
      { defer: true },
    ),
  )
  const reports = createMemo(() => (topics.error ? [] : (topics.latest ?? [])).filter(isReport))
  const open = () => reports().filter(({ name }) => !isResolved(name))
  const resolved = () => reports().filter(({ name }) => isResolved(name))
  return (
    <>
      <Section title={t('reports.open')} note={t('reports.note', { name: channelInText(channelId()) })}>
        <ErrorText error={topics.error} />
        <Show when={open().length > 0} fallback={<p class="set-note">{t('reports.none')}</p>}>
          <Rows topics={open()} channelId={channelId()} />
        </Show>
      </Section>
      <Show when={resolved().length > 0}>
        <Section title={t('reports.resolved')}>
          <Rows topics={resolved()} channelId={channelId()} />
        </Section>
      </Show>
    </>
  )
}

/** Whether an event changes the topics of a channel. */
function concerns(event: WireEvent, channelId: number): boolean {
  if (event.type === 'message') return (event.message as Message).stream_id === channelId
  if (!/^(update|delete)_message$/.test(event.type)) return false
  return event.stream_id === channelId || event.new_stream_id === channelId
}

/** At most one request in this time, in milliseconds: a conversation in the channel brings many events. */
const refreshPause = 3000

/** Runs `act` now, or when the pause after the last run is over. */
function seldom(act: () => void) {
  let last = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(timer))
  return () => {
    timer ??= setTimeout(
      () => {
        timer = undefined
        last = performance.now()
        act()
      },
      Math.max(0, last + refreshPause - performance.now()),
    )
  }
}

/** The channel has a topic of its own for what happens to the channel itself. */
function isReport({ name }: Topic) {
  return name !== 'channel events'
}

function Rows(props: { topics: Topic[]; channelId: number }) {
  return (
    <div class="inbox-group report-rows">
      <ul>
        {/* By names, as topics are made anew with each event: one keeps the focus. */}
        <For each={props.topics.map(({ name }) => name)}>
          {(name) => (
            <li class="inbox-row">
              <a
                data-row
                href={linkTo({
                  view: 'narrow',
                  terms: [
                    { operator: 'channel', operand: props.channelId },
                    { operator: 'topic', operand: name },
                  ],
                })}
              >
                <span class="inbox-name" dir="auto">
                  {shownTopic(name)}
                </span>
                <Show when={unreadInTopic(props.channelId, name)}>
                  {(unread) => <span class="count">{unread().ids.length}</span>}
                </Show>
              </a>
              <ActionButton
                class="row-button"
                isDisabled={!mayResolve(props.channelId) || name === ''}
                run={() => toggleResolved({ channelId: props.channelId, topic: name })}
              >
                {t(isResolved(name) ? 'topic.unresolve' : 'topic.resolve')}
              </ActionButton>
            </li>
          )}
        </For>
      </ul>
    </div>
  )
}
