import './spectator.css'
import { createEffect, createMemo, Match, onMount, Show, Switch } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { conversationOf, type Term } from '../../lib/route.ts'
import { replaceRoute, route } from '../../lib/router.ts'
import { isForEveryone } from '../../store/spectator.ts'
import { windowOf } from '../../store/windows.ts'
import { Topics } from '../channels/topics.tsx'
import { nearOf } from '../feed/feed.tsx'
import { FeedTitle } from '../feed/feed-title.tsx'
import { MessageList } from '../feed/message-list.tsx'
import { beginSelection, selected, setSelected } from '../feed/selection.ts'
import { NoticePlace } from '../parts/notices.tsx'
import { useRefresh } from '../parts/refresh.ts'
import { closeDrawer, DrawerShade, isDrawerOpen, useDrawer } from '../shell/drawer.tsx'
import { ViewHead } from '../shell/view-head.tsx'
import { ChannelRail } from './channel-rail.tsx'

/** The client for readers without an account: the web-public channels of the organization, to be read. */
export function SpectatorShell() {
  useDrawer()
  createEffect(() => {
    const { view } = route()
    if (view !== 'narrow' && view !== 'topics') replaceRoute({ view: 'narrow', terms: [] })
  })
  return (
    <div class="shell" classList={{ 'rail-open': isDrawerOpen() }}>
      <ChannelRail />
      <DrawerShade />
      <main id="main" tabindex="-1" aria-busy="false" onFocusIn={closeDrawer}>
        <View />
        <NoticePlace />
        <aside class="spectator-bar">
          <p>{t('spectator.note')}</p>
          <SignIn />
        </aside>
      </main>
    </div>
  )
}

function View() {
  // As text, so that the view is made anew only for another narrow, or for a link to another message.
  const place = createMemo(() => {
    const now = route()
    return now.view === 'narrow' ? JSON.stringify([now.terms, now.near]) : undefined
  })
  const topicsOf = () => {
    const now = route()
    return now.view === 'topics' ? now.channelId : undefined
  }
  return (
    <Switch>
      <Match when={place()} keyed>
        {(text) => <SpectatorFeed terms={JSON.parse(text)[0]} />}
      </Match>
      <Match when={topicsOf()} keyed>
        {(channelId) => <Topics channelId={channelId} />}
      </Match>
    </Switch>
  )
}

function SpectatorFeed(props: { terms: Term[] }) {
  return (
    <>
      <ViewHead title={<FeedTitle terms={props.terms} />} />
      <Show
        when={isForEveryone(props.terms)}
        fallback={<p class="empty spectator-closed">{t('spectator.closed')}</p>}
      >
        <OpenFeed terms={props.terms} />
      </Show>
    </>
  )
}

function OpenFeed(props: { terms: Term[] }) {
  const messages = windowOf(props.terms)
  const near = beginSelection() ?? nearOf()
  onMount(() => {
    // Requests from before it was clear that the reader has no account have failed.
    if (near !== undefined && !messages.ids().includes(near)) void messages.begin(near)
    else if (messages.anchor() === undefined) void messages.begin('newest')
  })
  useRefresh(() => messages.refresh())
  return (
    <MessageList
      messages={messages}
      conversation={conversationOf(props.terms, 0)}
      near={near}
      selected={selected()}
      select={setSelected}
    />
  )
}

/** Leads to the sign-in page, and back to this view. */
function SignIn() {
  const target = () => {
    route()
    return `/login?next=${encodeURIComponent(`/${location.hash}`)}`
  }
  return (
    <a class="button primary" href={target()}>
      {t('spectator.sign_in')}
    </a>
  )
}
