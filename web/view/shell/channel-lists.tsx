import { createMemo, For, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { inOrder } from '../../lib/in-order.ts'
import { route } from '../../lib/router.ts'
import { namesMatch } from '../../lib/same-name.ts'
import { channelOf, isMutedTopic, shownTopic, subscribed } from '../../store/channels.ts'
import { channelAt, conversationAt } from '../../store/places.ts'
import { field } from '../../store/server-state.ts'
import type { Channel } from '../../store/server-state-types.ts'
import { unreadByChannel, unreadInTopic, unreadTopics } from '../../store/unread.ts'
import { ChannelIcon } from '../parts/channel-icon.tsx'
import { RailItem } from './rail-item.tsx'
import { Section } from './section.tsx'

/** How many unread topics are listed below the open channel. */
const topicsShown = 8

/** The channels that the user is subscribed to, those in use first. */
export function ChannelLists() {
  const groups = createMemo(() => {
    const all = [...subscribed().values()]
      .filter((channel) => !channel.is_archived)
      .sort((a, b) => inOrder(a.name, b.name))
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

/** From how many channels on those not in use are set apart, where the user leaves it to the client. */
const manyChannels = 30

/** Whether channels without recent messages have a list of their own, at the end. */
function setsInactiveApart() {
  const choice = field('user_settings')?.demote_inactive_streams
  return choice === 2 || (choice !== 3 && subscribed().size > manyChannels)
}

function isActive({ is_recently_active, stream_id }: Channel) {
  return !setsInactiveApart() || is_recently_active || (unreadByChannel().get(stream_id)?.count ?? 0) > 0
}

function ChannelList(props: { title: string; name: string; channels: Channel[] }) {
  return (
    <Show when={props.channels.length > 0}>
      <Section title={props.title} name={props.name}>
        {/* By ids: events change a channel in place. */}
        <For each={props.channels.map(({ stream_id }) => stream_id)}>{(id) => <ChannelItem id={id} />}</For>
      </Section>
    </Show>
  )
}

/** The unread topics of a channel, with the open one first if it is not among them. */
function topicsIn(id: number): string[] {
  const unread = unreadTopics()
    .filter(({ channelId, topic }) => channelId === id && !isMutedTopic(channelId, topic))
    .slice(0, topicsShown)
    .map(({ topic }) => topic)
  const open = conversationAt(route())
  if (!open || 'userIds' in open) return unread
  const isListed = unread.some((topic) => namesMatch(topic, open.topic))
  return isListed ? unread : [open.topic, ...unread]
}

function ChannelItem({ id }: { id: number }) {
  const channel = () => channelOf(id)
  const isOpen = () => channelAt(route()) === id
  const topics = createMemo(() => (isOpen() ? topicsIn(id) : []))
  const counts = () => unreadByChannel().get(id)
  return (
    <>
      <RailItem
        route={{ view: 'narrow', terms: [{ operator: 'channel', operand: id }] }}
        name={channel()?.name ?? ''}
        count={counts()?.count ?? 0}
        isCalm={counts()?.calls === 0}
        isQuiet={channel()?.is_muted ?? false}
      >
        <ChannelIcon channel={channel()} />
      </RailItem>
      <Show when={isOpen()}>
        <li>
          <ul class="rail-topics">
            {/* By names, as the topics are made anew with each message: a link keeps the focus. */}
            <For each={topics()}>
              {(topic) => (
                <RailItem
                  route={{
                    view: 'narrow',
                    terms: [
                      { operator: 'channel', operand: id },
                      { operator: 'topic', operand: topic },
                    ],
                  }}
                  name={shownTopic(topic)}
                  count={unreadInTopic(id, topic)?.ids.length ?? 0}
                  isCalm={unreadInTopic(id, topic)?.calls === 0}
                />
              )}
            </For>
            <RailItem route={{ view: 'topics', channelId: id }} name={t('rail.all_topics')} isQuiet />
          </ul>
        </li>
      </Show>
    </>
  )
}
