import { lazy, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { untilLoaded } from '../../lib/load-part.ts'
import { subscribed } from '../../store/channels.ts'
import { beginTopic, draftCount } from '../../store/composing.ts'
import { requestIdle } from '../../store/keeping.ts'
import { field } from '../../store/server-state.ts'
import { isReady } from '../../store/session.ts'
import { unreadMentions, unreadTotal } from '../../store/unread.ts'
import { AccountMenu } from './account-menu.tsx'
import { ChannelLists } from './channel-lists.tsx'
import { Directs } from './directs.tsx'
import { OrganizationName } from './organization-name.tsx'
import { RailButton, RailItem } from './rail-item.tsx'
import { SearchButton } from './search-button.tsx'

/** Nothing waits for hints, and a page that cannot load them goes without. */
const Hints = lazy(async () => {
  await new Promise<void>(requestIdle)
  return untilLoaded(() => import('./hints.tsx')).then(
    ({ Hints }) => ({ default: Hints }),
    () => ({ default: () => undefined }),
  )
})

function draftsCount() {
  return draftCount() + (field('scheduled_messages') ?? []).length
}

/** How many messages are starred, if the user wants to see it. */
function starredCount() {
  return field('user_settings')?.starred_message_counts ? (field('starred_messages') ?? []).length : 0
}

/** The list of views, direct messages and channels on the left. */
export function Rail() {
  return (
    <nav class="rail" aria-label={t('rail.label')}>
      <header class="rail-head">
        <OrganizationName />
        <AccountMenu />
      </header>
      <SearchButton />
      <div class="rail-scroll">
        <Views />
        <Show when={isReady()}>
          <Directs />
          <ChannelLists />
          <ul>
            <Show when={subscribed().size > 0}>
              <RailButton name={t('topics.new')} run={() => beginTopic()} />
            </Show>
            <RailItem route={{ view: 'channels' }} icon="plus" name={t('rail.browse')} />
          </ul>
        </Show>
      </div>
      <Show when={isReady()}>
        <Hints />
      </Show>
    </nav>
  )
}

function Views() {
  return (
    <ul>
      <RailItem
        route={{ view: 'inbox' }}
        icon="inbox"
        name={t('view.inbox')}
        count={isReady() ? unreadTotal() : 0}
      />
      <RailItem route={{ view: 'recent' }} icon="recent" name={t('rail.recent')} />
      <RailItem route={{ view: 'narrow', terms: [] }} icon="feed" name={t('view.feed')} />
      <RailItem
        route={{ view: 'narrow', terms: [{ operator: 'is', operand: 'mentioned' }] }}
        icon="mention"
        name={t('view.mentions')}
        count={isReady() ? unreadMentions() : 0}
      />
      <RailItem
        route={{ view: 'narrow', terms: [{ operator: 'is', operand: 'starred' }] }}
        icon="star"
        name={t('rail.starred')}
        count={isReady() ? starredCount() : 0}
        countText={t('count.starred', { count: starredCount() })}
        isQuietCount
      />
      <RailItem
        route={{ view: 'drafts' }}
        icon="drafts"
        name={t('view.drafts')}
        count={isReady() ? draftsCount() : 0}
        countText={t('count.drafts', { count: draftsCount() })}
        isQuietCount
      />
    </ul>
  )
}
