import { createResource, For, Show } from 'solid-js'
import { get } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { route } from '../../lib/router.ts'
import { channelOf, shownTopic, subscribed } from '../../store/channels.ts'
import { channelAt } from '../../store/places.ts'
import { refreshChannels } from '../../store/session.ts'
import { ChannelIcon } from '../parts/channel-icon.tsx'
import { useRefresh } from '../parts/refresh.ts'
import { OrganizationName } from '../shell/organization-name.tsx'
import { RailItem } from '../shell/rail-item.tsx'
import { SearchButton } from '../shell/search-button.tsx'

/** How many topics are listed below the open channel. */
const topicsShown = 8

/** The channels that everyone can read, the open one with its newest topics. */
export function ChannelRail() {
  useRefresh(refreshChannels)
  return (
    <nav class="rail" aria-label={t('spectator.rail')}>
      <header class="rail-head">
        <OrganizationName />
      </header>
      <SearchButton />
      <div class="rail-scroll">
        <ul>
          <RailItem route={{ view: 'narrow', terms: [] }} icon="feed" name={t('view.feed')} />
          <For each={[...subscribed().keys()]}>{(id) => <ChannelItem id={id} />}</For>
        </ul>
      </div>
    </nav>
  )
}

function ChannelItem({ id }: { id: number }) {
  const channel = () => channelOf(id)
  return (
    <>
      <RailItem
        route={{ view: 'narrow', terms: [{ operator: 'channel', operand: id }] }}
        name={channel()?.name ?? ''}
      >
        <ChannelIcon channel={channel()} />
      </RailItem>
      <Show when={channelAt(route()) === id}>
        <NewestTopics channelId={id} />
      </Show>
    </>
  )
}

function NewestTopics(props: { channelId: number }) {
  const [topics, { refetch }] = createResource(() => props.channelId, newestTopics)
  useRefresh(async () => refetch())
  return (
    <li>
      <ul class="rail-topics">
        <For each={topics.latest ?? []}>
          {(topic) => (
            <RailItem
              route={{
                view: 'narrow',
                terms: [
                  { operator: 'channel', operand: props.channelId },
                  { operator: 'topic', operand: topic },
                ],
              }}
              name={shownTopic(topic)}
            />
          )}
        </For>
        <RailItem
          route={{ view: 'topics', channelId: props.channelId }}
          name={t('rail.all_topics')}
          isQuiet
        />
      </ul>
    </li>
  )
}

/** Without an answer, the list stays away: the view itself says what is wrong. */
async function newestTopics(channelId: number): Promise<string[]> {
  const path = `/users/me/${channelId}/topics`
  return get<{ topics: { name: string }[] }>(path, { allow_empty_topic_name: true }).then(
    ({ topics }) => topics.slice(0, topicsShown).map(({ name }) => name),
    () => [],
  )
}
