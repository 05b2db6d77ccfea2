import '../inbox/inbox.css'
import { createMemo, createSignal, For, Show } from 'solid-js'
import { post, remove } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { linkTo } from '../../lib/router.ts'
import { channels, subscribed } from '../../store/channels.ts'
import type { Channel } from '../../store/server-state-types.ts'
import { ChannelIcon } from '../parts/channel-icon.tsx'
import { ViewHead } from '../shell/view-head.tsx'

/** All channels that the user can see, to subscribe and to leave. */
export function Channels(props: { openRail(): void }) {
  const [words, setWords] = createSignal('')
  const shown = createMemo(() =>
    [...channels().values()]
      .filter(
        ({ is_archived, name, description }) =>
          !is_archived && `${name} ${description}`.toLowerCase().includes(words().toLowerCase()),
      )
      .sort((a, b) => a.name.localeCompare(b.name)),
  )
  return (
    <>
      <ViewHead openRail={props.openRail} title={t('view.channels')} />
      <div class="view-body channel-list">
        <div class="inbox-filter">
          <input
            class="field"
            type="search"
            placeholder={t('channels.filter')}
            aria-label={t('channels.filter')}
            value={words()}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </div>
        <section class="inbox-group">
          <ul>
            <For each={shown()}>{(channel) => <Row channel={channel} />}</For>
          </ul>
        </section>
      </div>
    </>
  )
}

function Row(props: { channel: Channel }) {
  const isSubscribed = () => subscribed().has(props.channel.stream_id)
  const toggle = () => {
    const { name } = props.channel
    void (
      isSubscribed()
        ? remove('/users/me/subscriptions', { subscriptions: [name] })
        : post('/users/me/subscriptions', { subscriptions: [{ name }] })
    ).catch(() => {})
  }
  return (
    <li class="inbox-row">
      <a
        href={linkTo({ view: 'narrow', terms: [{ operator: 'channel', operand: props.channel.stream_id }] })}
      >
        <ChannelIcon channel={props.channel} />
        <span class="inbox-name" dir="auto">
          {props.channel.name} <span class="inbox-note">{props.channel.description}</span>
        </span>
        <Show when={props.channel.subscriber_count !== undefined}>
          <span class="inbox-note">
            {t('channels.subscribers', { count: props.channel.subscriber_count ?? 0 })}
          </span>
        </Show>
      </a>
      <button type="button" class="button" onClick={toggle}>
        {t(isSubscribed() ? 'channel.unsubscribe' : 'channel.subscribe')}
      </button>
    </li>
  )
}
