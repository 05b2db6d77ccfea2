import './details.css'
import { createEffect, createMemo, createSignal, For, on, onCleanup, onMount, Show } from 'solid-js'
import { onAction } from '../../lib/actions.ts'
import { t } from '../../lib/i18n.ts'
import { route } from '../../lib/router.ts'
import { channelOf } from '../../store/channels.ts'
import { availabilityOf } from '../../store/people.ts'
import { currentState, field } from '../../store/server-state.ts'
import { useSubscribers } from '../../store/subscribers.ts'
import { openChannelSettings } from '../channels/open-settings.ts'
import { EmojiGlyph } from '../feed/reactions.tsx'
import { ChannelIcon } from '../parts/channel-icon.tsx'
import { now } from '../parts/clock.ts'
import { Content } from '../parts/content.tsx'
import { ErrorText } from '../parts/error-text.tsx'
import { focusFirst, wayBack } from '../parts/focus.ts'
import { Icon } from '../parts/icon.tsx'
import { Known } from '../parts/known.tsx'
import { byName, namedLike, PeopleFilter, shownAtMost } from '../people/find-people.tsx'
import { PersonButton } from '../people/person-button.tsx'
import { type DetailsOf, isBeside, toggleDetails } from './open-details.ts'

/** Shows the participants of the open conversation, and the description of its channel. */
export function Details(props: { of: DetailsOf }) {
  let element!: HTMLElement
  const before = wayBack()
  const close = () => {
    toggleDetails(false)
    focusFirst(before)
  }
  onMount(() => {
    if (!isBeside()) element.querySelector('button')?.focus({ preventScroll: true })
  })
  onCleanup(
    onAction('escape', () => {
      if (isBeside() && !element.contains(document.activeElement)) return false
      close()
      return true
    }),
  )
  // Details that cover the view close when another view opens.
  createEffect(on(route, () => isBeside() || toggleDetails(false), { defer: true }))
  return (
    <>
      <div class="details-shade" onClick={close} aria-hidden="true" />
      <aside ref={element} id="details" class="details" aria-label={t('details.title')}>
        <header class="panel-head">
          <h2>{t('details.title')}</h2>
          <button type="button" class="icon-button" aria-label={t('details.close')} onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        <Show
          when={'channelId' in props.of ? props.of.channelId : undefined}
          keyed
          fallback={<Participants of={props.of} />}
        >
          {(channelId) => <ChannelDetails channelId={channelId} />}
        </Show>
      </aside>
    </>
  )
}

function Participants(props: { of: DetailsOf }) {
  const ids = () => ('userIds' in props.of ? [...props.of.userIds, currentState().user_id] : [])
  return <Members ids={ids()} />
}

function ChannelDetails(props: { channelId: number }) {
  const { ids, failure } = useSubscribers(() => props.channelId)
  return (
    <>
      <Known thing={channelOf(props.channelId)}>
        {(channel) => (
          <section class="details-channel">
            <h3 dir="auto">
              <ChannelIcon channel={channel()} />
              {channel().name}
            </h3>
            <Show when={channel().rendered_description}>{(html) => <Content html={html()} />}</Show>
            <button type="button" class="button" onClick={() => openChannelSettings(props.channelId)}>
              <Icon name="settings" />
              {t('channel.settings')}
            </button>
          </section>
        )}
      </Known>
      <ErrorText error={failure()} />
      <Show when={ids()} fallback={<Show when={!failure()}>{t('app.loading')}</Show>}>
        {(all) => <Members ids={[...all()]} />}
      </Show>
    </>
  )
}

const order = ['active', 'idle', 'offline'] as const

/** People, those who are there first, each group by name. */
function Members(props: { ids: number[] }) {
  const [words, setWords] = createSignal('')
  // Names change seldom and presence often, so each is sorted by itself.
  const all = createMemo<number[]>((before) => byName(props.ids, before))
  const sorted = createMemo(() => {
    const found = namedLike(all(), words())
    const kinds = new Map(found.map((id) => [id, availabilityOf(id, now())]))
    return order.flatMap((kind) => found.filter((id) => kinds.get(id) === kind))
  })
  return (
    <section aria-label={t('channel.members')}>
      <h3>{t('people.count', { count: props.ids.length })}</h3>
      <Show when={props.ids.length > 10}>
        <PeopleFilter set={setWords} />
      </Show>
      <ul class="people-list">
        <For each={sorted().slice(0, shownAtMost)}>
          {(id) => (
            <li>
              <PersonButton id={id} />
              <Status id={id} />
            </li>
          )}
        </For>
      </ul>
      <Show when={sorted().length > shownAtMost}>
        <p class="inbox-note">{t('subscribers.more', { count: sorted().length - shownAtMost })}</p>
      </Show>
    </section>
  )
}

function Status(props: { id: number }) {
  return (
    <Show when={field('user_status')?.[props.id]}>
      {(status) => (
        <p class="inbox-note details-status">
          <Show when={status().emoji_code}>
            <EmojiGlyph
              emoji={{
                emoji_name: status().emoji_name ?? '',
                emoji_code: status().emoji_code ?? '',
                reaction_type: status().reaction_type ?? 'unicode_emoji',
              }}
            />
          </Show>{' '}
          <span dir="auto">{status().status_text}</span>
        </p>
      )}
    </Show>
  )
}
