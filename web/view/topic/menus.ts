import { get, post, remove } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { hintOf } from '../../lib/keys.ts'
import { channelOfTerm, conversationOf, type Route, type Term, termsOf } from '../../lib/route.ts'
import { goTo } from '../../lib/router.ts'
import { channelOf, isResolved, policies, policyOf, subscribed } from '../../store/channels.ts'
import { unreadInDirect, unreadInTopic, unreadTopics } from '../../store/unread.ts'
import { openChannelSettings } from '../channels/open-settings.ts'
import { markRead, type TopicRef } from '../message/commands.ts'
import { mayDeleteTopics, mayMoveChannel, mayMoveTopic, mayResolve } from '../message/permissions.ts'
import { channelInText } from '../parts/channel-in-text.ts'
import { askFirst } from '../parts/confirm.tsx'
import { copy } from '../parts/copy.ts'
import { later, laterWithTexts } from '../parts/dialog.tsx'
import type { MenuEntry } from '../parts/menu.tsx'
import { notice, noticeFailure } from '../parts/notices.tsx'
import { channelLink, toggleResolved, topicLink } from './commands.ts'

type Offered = MenuEntry | false | undefined

/** The menu of the topic or channel to which an address leads; none for other views. */
export function menuOfPlace(place: Route, ownId: number): Offered[] | undefined {
  if (place.view !== 'narrow') return undefined
  const conversation = conversationOf(place.terms, ownId)
  if (conversation)
    return 'channelId' in conversation ? topicMenu(conversation) : directMenu(conversation.userIds, ownId)
  const channelId = channelOfTerm(place.terms[0])
  return channelId === undefined ? undefined : channelMenu(channelId)
}

/** Returns the menu of a topic. */
function topicMenu(topic: TopicRef): Offered[] {
  const { channelId } = topic
  const unread = unreadInTopic(channelId, topic.topic)?.ids ?? []
  return [
    unread.length > 0 && { label: t('menu.mark_read'), icon: 'check', run: () => markRead(unread) },
    mayResolve(channelId) &&
      topic.topic !== '' && {
        label: t(isResolved(topic.topic) ? 'topic.unresolve' : 'topic.resolve'),
        icon: 'check',
        run: () => void toggleResolved(topic),
      },
    'line',
    ...policyEntries(topic),
    'line',
    (mayMoveTopic(channelId) || mayMoveChannel(channelId)) && {
      label: t('topic.move'),
      icon: 'move',
      run: () =>
        laterWithTexts(
          () => import('../message/move.tsx'),
          ({ Move }, close) => Move({ topic, close }),
        ),
    },
    dateEntry(termsOf(topic, 0)),
    { label: t('message.copy_link'), icon: 'link', run: () => void copy(topicLink(topic)) },
    'line',
    mayDeleteTopics() && {
      label: t('topic.delete'),
      icon: 'trash',
      isDangerous: true,
      run: () => askToDeleteTopic(topic),
    },
  ]
}

/** Returns the menu of a direct conversation. */
function directMenu(userIds: number[], ownId: number): Offered[] {
  const unread = unreadInDirect(userIds)?.ids ?? []
  return [
    unread.length > 0 && { label: t('menu.mark_read'), icon: 'check', run: () => markRead(unread) },
    dateEntry(termsOf({ userIds }, ownId)),
  ]
}

function dateEntry(terms: Term[]): MenuEntry {
  const run = () =>
    later(
      () => import('../search/go-to-date.tsx'),
      ({ GoToDate }, close) => GoToDate({ terms, close }),
    )
  return { label: t('date.title'), icon: 'clock', run }
}

function policyEntries({ channelId, topic }: TopicRef): Offered[] {
  const now = policyOf(channelId, topic)
  const isChannelMuted = subscribed().get(channelId)?.is_muted ?? false
  const choices = [
    ['inherit', 'topic.policy_inherit', ''],
    ['followed', 'topic.policy_followed', hintOf('follow_topic')],
    isChannelMuted
      ? (['unmuted', 'topic.policy_unmuted', ''] as const)
      : (['muted', 'topic.policy_muted', hintOf('mute_topic')] as const),
  ] as const
  return choices.map(([name, text, keys]) => ({
    label: t(text),
    keys,
    isChecked: now === policies[name],
    run: () =>
      void post('/user_topics', {
        stream_id: channelId,
        topic,
        visibility_policy: policies[name],
      }).catch(noticeFailure),
  }))
}

function askToDeleteTopic({ channelId, topic }: TopicRef) {
  const done = () => goTo({ view: 'narrow', terms: [{ operator: 'channel', operand: channelId }] })
  laterWithTexts(
    () => import('../message/bulk-topics.tsx'),
    ({ DeleteTopics }, close) => DeleteTopics({ channelId, topics: [{ name: topic }], done, close }),
  )
}

/** Returns the menu of a channel. Its color is chosen in a dialog. */
function channelMenu(channelId: number): Offered[] {
  const mine = subscribed().get(channelId)
  const unread = unreadTopics()
    .filter((one) => one.channelId === channelId)
    .flatMap(({ ids }) => ids)
  return [
    unread.length > 0 && { label: t('menu.mark_read'), icon: 'check', run: () => markRead(unread) },
    { label: t('rail.all_topics'), icon: 'feed', run: () => goTo({ view: 'topics', channelId }) },
    dateEntry([{ operator: 'channel', operand: channelId }]),
    { label: t('channel.members'), icon: 'people', run: () => openMembers(channelId) },
    'line',
    mine && {
      label: t(mine.is_muted ? 'channel.unmute' : 'channel.mute'),
      icon: 'mute',
      run: () => setProperty(channelId, 'is_muted', !mine.is_muted),
    },
    mine && {
      label: t(mine.pin_to_top ? 'channel.unpin' : 'channel.pin'),
      icon: 'pin',
      run: () => setProperty(channelId, 'pin_to_top', !mine.pin_to_top),
    },
    mine && {
      label: t('channel.color'),
      icon: 'edit',
      run: () =>
        later(
          () => import('./color-dialog.tsx'),
          ({ ColorDialog }, close) =>
            ColorDialog({
              color: mine.color ?? '#888888',
              choose: (color) => setProperty(channelId, 'color', color),
              close,
            }),
        ),
    },
    { label: t('message.copy_link'), icon: 'link', run: () => void copy(channelLink(channelId)) },
    { label: t('channel.settings'), icon: 'settings', run: () => openChannelSettings(channelId) },
    'line',
    mine
      ? {
          label: t('channel.unsubscribe'),
          icon: 'close',
          isDangerous: true,
          run: () => unsubscribe(channelId),
        }
      : { label: t('channel.subscribe'), icon: 'plus', run: () => subscribe(channelId) },
  ]
}

function openMembers(channelId: number) {
  const load = () =>
    get<{ subscribers: number[] }>(`/streams/${channelId}/members`).then(({ subscribers }) => subscribers)
  const title = t('channel.members_of', { name: channelInText(channelId) })
  later(
    () => import('../people/people-dialog.tsx'),
    ({ PeopleDialog }, close) => PeopleDialog({ title, empty: t('channel.nobody'), load, close }),
  )
}

function setProperty(stream_id: number, property: string, value: unknown) {
  void post('/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id, property, value }],
  }).catch(noticeFailure)
}

export function subscribe(channelId: number) {
  const name = channelOf(channelId)?.name
  return post('/users/me/subscriptions', { subscriptions: [{ name }] }).catch(noticeFailure)
}

/** Leaves a channel; asks before that if the user could not come back by themselves. */
export function unsubscribe(channelId: number) {
  const name = channelOf(channelId)?.name ?? ''
  const run = async () => {
    await remove('/users/me/subscriptions', { subscriptions: [name] })
    const offer = { label: t('notice.undo'), run: () => void subscribe(channelId) }
    notice(t('channel.unsubscribed', { name }), { offer })
  }
  const isPrivate = channelOf(channelId)?.invite_only ?? false
  if (!isPrivate) return run().catch(noticeFailure)
  return askFirst({
    title: t('channel.unsubscribe'),
    text: t('channel.unsubscribe_private', { name }),
    action: t('channel.unsubscribe'),
    run,
  })
}
