import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { conversationOf, type Route } from '../../lib/route.ts'
import { linkTo, route } from '../../lib/router.ts'
import { isMutedTopic, shownTopic, subscribed } from '../../store/channels.ts'
import { draftCount } from '../../store/composing.ts'
import { availabilityOf, me } from '../../store/people.ts'
import { currentState, field } from '../../store/server-state.ts'
import type { Channel } from '../../store/server-state-types.ts'
import { isReady } from '../../store/session.ts'
import {
  unreadByChannel,
  unreadDirects,
  unreadInDirect,
  unreadMentions,
  unreadTopics,
  unreadTotal,
} from '../../store/unread.ts'
import { now } from '../parts/clock.ts'
import { directName } from '../parts/conversation-name.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { AccountMenu } from './account-menu.tsx'
import { SearchButton } from './search-button.tsx'

/** How many direct conversations, and topics below the open channel, are listed. */
const directsShown = 8
const topicsShown = 8

function draftsCount() {
  return draftCount() + (field('scheduled_messages') ?? []).length
}

/** The list of views, direct messages and channels on the left. */
export function Rail() {
  return (
    <nav class="rail" aria-label={t('rail.label')}>
      <header class="rail-head">
        <Show when={field('realm_icon_url')}>
          <img class="avatar" style={{ '--avatar-size': '26px' }} src={field('realm_icon_url')} alt="" />
        </Show>
        <strong class="rail-name" dir="auto">
          {field('realm_name')}
        </strong>
        <AccountMenu />
      </header>
      <SearchButton />
      <div class="rail-scroll">
        <ul>
          <Item
            route={{ view: 'inbox' }}
            icon="inbox"
            name={t('view.inbox')}
            count={isReady() ? unreadTotal() : 0}
          />
          <Item route={{ view: 'recent' }} icon="recent" name={t('rail.recent')} />
          <Item route={{ view: 'narrow', terms: [] }} icon="feed" name={t('view.feed')} />
          <Item
            route={{ view: 'narrow', terms: [{ operator: 'is', operand: 'mentioned' }] }}
            icon="mention"
            name={t('view.mentions')}
            count={isReady() ? unreadMentions() : 0}
          />
          <Item
            route={{ view: 'narrow', terms: [{ operator: 'is', operand: 'starred' }] }}
            icon="star"
            name={t('rail.starred')}
          />
          <Item
            route={{ view: 'drafts' }}
            icon="drafts"
            name={t('view.drafts')}
            count={isReady() ? draftsCount() : 0}
            countText={t('count.drafts', { count: draftsCount() })}
            isQuietCount
          />
        </ul>
        <Show when={isReady()}>
          <Directs />
          <ChannelLists />
          <ul>
            <Item route={{ view: 'channels' }} icon="plus" name={t('rail.browse')} />
          </ul>
        </Show>
      </div>
    </nav>
  )
}

function Item(props: {
  route: Route
  icon?: IconName
  name: string
  count?: number
  /** What the count counts, if not unread messages. */
  countText?: string
  isQuiet?: boolean
  isQuietCount?: boolean
  children?: JSX.Element
}) {
  const target = () => linkTo(props.route)
  const isHere = () => linkTo(route()) === target()
  return (
    <li>
      <a
        class="rail-item"
        classList={{ muted: props.isQuiet ?? false }}
        href={target()}
        aria-current={isHere() ? 'page' : undefined}
      >
        {props.children}
        <Show when={props.icon}>{(icon) => <Icon name={icon()} />}</Show>
        <span class="rail-text" dir="auto">
          {props.name}
        </span>
        <Count
          value={props.count ?? 0}
          text={props.countText ?? t('count.unread', { count: props.count ?? 0 })}
          isQuiet={props.isQuiet ?? props.isQuietCount ?? false}
        />
      </a>
    </li>
  )
}

function Count(props: { value: number; text: string; isQuiet: boolean }) {
  return (
    <Show when={props.value > 0}>
      <span class="count" classList={{ quiet: props.isQuiet }}>
        <span aria-hidden="true">{props.value > 999 ? '999+' : props.value}</span>
        <span class="visually-hidden">{props.text}</span>
      </span>
    </Show>
  )
}

function Directs() {
  const shown = createMemo(() => {
    const recent = field('recent_private_conversations') ?? []
    const unread = unreadDirects().map(({ userIds, newest }) => ({
      user_ids: userIds,
      max_message_id: newest,
    }))
    const all = new Map(
      [...recent, ...unread].map((one) => [[...one.user_ids].sort((a, b) => a - b).join(), one]),
    )
    return [...all.values()].sort((a, b) => b.max_message_id - a.max_message_id).slice(0, directsShown)
  })
  return (
    <Section title={t('rail.direct')} name="direct">
      <For each={shown()}>
        {({ user_ids }) => {
          const ids = user_ids.length > 0 ? user_ids : [currentState().user_id]
          return (
            <Item
              route={{ view: 'narrow', terms: [{ operator: 'dm', operand: ids }] }}
              name={directName(user_ids)}
              count={unreadInDirect(user_ids)?.ids.length ?? 0}
            >
              <Show when={ids.length === 1} fallback={<Icon name="people" />}>
                <Presence userId={ids[0] ?? 0} />
              </Show>
            </Item>
          )
        }}
      </For>
    </Section>
  )
}

export function Presence(props: { userId: number }) {
  const availability = () => availabilityOf(props.userId, now())
  return <span class={`presence ${availability()}`} title={t(`presence.${availability()}`)} />
}

function ChannelLists() {
  const groups = createMemo(() => {
    const all = [...subscribed().values()]
      .filter((channel) => !channel.is_archived)
      .sort((a, b) => a.name.localeCompare(b.name))
    const pinned = all.filter((one) => one.pin_to_top)
    const rest = all.filter((one) => !one.pin_to_top)
    return {
      pinned,
      active: rest.filter((one) => !one.is_muted && isActive(one)),
      inactive: rest.filter((one) => !one.is_muted && !isActive(one)),
      muted: rest.filter((one) => one.is_muted),
    }
  })
  return (
    <>
      <ChannelList title={t('rail.pinned')} name="pinned" channels={groups().pinned} />
      <ChannelList title={t('rail.channels')} name="channels" channels={groups().active} />
      <ChannelList title={t('rail.inactive')} name="inactive" channels={groups().inactive} />
      <ChannelList title={t('rail.muted')} name="muted" channels={groups().muted} />
    </>
  )
}

function isActive({ is_recently_active, stream_id }: Channel) {
  return is_recently_active || (unreadByChannel().get(stream_id)?.count ?? 0) > 0
}

function ChannelList(props: { title: string; name: string; channels: Channel[] }) {
  return (
    <Show when={props.channels.length > 0}>
      <Section title={props.title} name={props.name}>
        <For each={props.channels}>{(channel) => <ChannelItem channel={channel} />}</For>
      </Section>
    </Show>
  )
}

function ChannelItem(props: { channel: Channel }) {
  const id = () => props.channel.stream_id
  const isOpen = () => openChannel() === id()
  const topics = createMemo(() =>
    isOpen()
      ? unreadTopics()
          .filter(({ channelId, topic }) => channelId === id() && !isMutedTopic(channelId, topic))
          .slice(0, topicsShown)
      : [],
  )
  return (
    <>
      <Item
        route={{ view: 'narrow', terms: [{ operator: 'channel', operand: id() }] }}
        name={props.channel.name}
        count={unreadByChannel().get(id())?.count ?? 0}
        isQuiet={props.channel.is_muted ?? false}
      >
        <ChannelIcon channel={props.channel} />
      </Item>
      <Show when={isOpen()}>
        <li>
          <ul class="rail-topics">
            <For each={topics()}>
              {({ topic, ids }) => (
                <Item
                  route={{
                    view: 'narrow',
                    terms: [
                      { operator: 'channel', operand: id() },
                      { operator: 'topic', operand: topic },
                    ],
                  }}
                  name={shownTopic(topic)}
                  count={ids.length}
                />
              )}
            </For>
            <Item route={{ view: 'topics', channelId: id() }} name={t('rail.all_topics')} isQuiet />
          </ul>
        </li>
      </Show>
    </>
  )
}

/** The channel of the view that is open. */
function openChannel(): number | undefined {
  const here = route()
  if (here.view === 'topics') return here.channelId
  if (here.view !== 'narrow') return undefined
  const first = here.terms[0]
  if (first?.operator === 'channel' && typeof first.operand === 'number') return first.operand
  const conversation = conversationOf(here.terms, me()?.user_id ?? 0)
  return conversation && 'channelId' in conversation ? conversation.channelId : undefined
}

/** What kind of channel it is; its colour tints the icon alone, so that contrast never depends on it. */
export function ChannelIcon(props: { channel: Channel | undefined }) {
  const name = (): IconName =>
    props.channel?.invite_only ? 'lock' : props.channel?.is_web_public ? 'globe' : 'hash'
  return (
    <span class="channel-icon" style={{ '--channel': props.channel?.color ?? 'currentColor' }}>
      <Icon name={name()} />
    </span>
  )
}

const storageKey = 'rookery.closed-sections'

function Section(props: { title: string; name: string; children: JSX.Element }) {
  const [isOpen, setOpen] = createSignal(!closedSections().includes(props.name))
  const toggle = () => {
    const others = closedSections().filter((name) => name !== props.name)
    localStorage.setItem(storageKey, JSON.stringify(isOpen() ? [...others, props.name] : others))
    setOpen((open) => !open)
  }
  return (
    <section>
      <h2 class="rail-title">
        <button type="button" aria-expanded={isOpen()} onClick={toggle}>
          <Icon name={isOpen() ? 'down' : 'right'} />
          {props.title}
        </button>
      </h2>
      <Show when={isOpen()}>
        <ul>{props.children}</ul>
      </Show>
    </section>
  )
}

function closedSections(): string[] {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '[]')
  } catch {
    return []
  }
}
