import { FilterField } from '../parts/filter-field.tsx'
import '../inbox/inbox.css'
import { createMemo, createSignal, For, Show } from 'solid-js'
import { post, remove } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { plainText } from '../../lib/plain-text.ts'
import { linkTo } from '../../lib/router.ts'
import { mayCreateAny } from '../../store/channel-rights.ts'
import { channels, subscribed } from '../../store/channels.ts'
import type { Channel } from '../../store/server-state-types.ts'
import { ChannelIcon } from '../parts/channel-icon.tsx'
import { Icon } from '../parts/icon.tsx'
import { noticeFailure } from '../parts/notices.tsx'
import { ViewHead } from '../shell/view-head.tsx'
import { openChannelSettings, openNewChannel } from './open-settings.ts'

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
      <ViewHead openRail={props.openRail} title={t('view.channels')}>
        <Show when={mayCreateAny()}>
          <button type="button" class="button" onClick={openNewChannel}>
            <Icon name="plus" />
            {t('channel.new')}
          </button>
        </Show>
      </ViewHead>
      <div class="view-body channel-list">
        <div class="inbox-filter">
          <FilterField label={t('channels.filter')} value={words()} set={setWords} />
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
    ).catch(noticeFailure)
  }
  return (
    <li class="inbox-row">
      <a
        href={linkTo({ view: 'narrow', terms: [{ operator: 'channel', operand: props.channel.stream_id }] })}
      >
        <ChannelIcon channel={props.channel} />
        <span class="inbox-name" dir="auto">
          <span class="channel-name">{props.channel.name}</span>{' '}
          <span class="inbox-note">{plainText(props.channel.rendered_description)}</span>
        </span>
        <Show when={props.channel.subscriber_count !== undefined}>
          <span class="inbox-note subscriber-count">
            {t('channels.subscribers', { count: props.channel.subscriber_count ?? 0 })}
          </span>
        </Show>
      </a>
      <button
        type="button"
        class="icon-button"
        title={t('channel.settings')}
        aria-label={t('channel.settings_of', { name: props.channel.name })}
        onClick={() => openChannelSettings(props.channel.stream_id)}
      >
        <Icon name="settings" />
      </button>
      <button
        type="button"
        class="button row-button"
        classList={{ settled: isSubscribed() }}
        onClick={toggle}
      >
        {t(isSubscribed() ? 'channel.unsubscribe' : 'channel.subscribe')}
      </button>
    </li>
  )
}
