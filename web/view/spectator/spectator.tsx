import './spectator.css'
import { createEffect, createMemo, createSignal, For, onMount, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { conversationOf, type Term } from '../../lib/route.ts'
import { replaceRoute, route } from '../../lib/router.ts'
import { subscribed } from '../../store/channels.ts'
import { windowOf } from '../../store/windows.ts'
import { FeedTitle, nearOf } from '../feed/feed.tsx'
import { MessageList } from '../feed/message-list.tsx'
import { beginSelection, selected, setSelected } from '../feed/selection.ts'
import { OrganizationName } from '../shell/organization-name.tsx'
import { RailItem } from '../shell/rail-item.tsx'
import { ViewHead } from '../shell/view-head.tsx'

/** The client for readers without an account: the web-public channels of the organization, to be read. */
export function SpectatorShell() {
  const [isRailOpen, setRailOpen] = createSignal(false)
  createEffect(() => {
    route()
    setRailOpen(false)
    if (route().view !== 'narrow') replaceRoute({ view: 'narrow', terms: [] })
  })
  // As text, so that the view is made anew only for another narrow, or for a link to another message.
  const place = createMemo(() => {
    const now = route()
    return JSON.stringify(now.view === 'narrow' ? [now.terms, now.near] : [[]])
  })
  return (
    <div class="shell" classList={{ 'rail-open': isRailOpen() }}>
      <ChannelRail />
      <Show when={isRailOpen()}>
        <div class="rail-shade" onClick={() => setRailOpen(false)} aria-hidden="true" />
      </Show>
      <main id="main" tabindex="-1" aria-busy="false">
        <Show when={place()} keyed>
          {(text) => <SpectatorFeed terms={JSON.parse(text)[0]} openRail={() => setRailOpen(true)} />}
        </Show>
        <aside class="spectator-bar">
          <p>{t('spectator.note')}</p>
          <SignIn />
        </aside>
      </main>
    </div>
  )
}

function ChannelRail() {
  return (
    <nav class="rail" aria-label={t('spectator.rail')}>
      <header class="rail-head">
        <OrganizationName />
      </header>
      <div class="rail-scroll">
        <ul>
          <RailItem route={{ view: 'narrow', terms: [] }} icon="feed" name={t('view.feed')} />
          <For each={[...subscribed().values()]}>
            {({ stream_id, name }) => (
              <RailItem
                route={{ view: 'narrow', terms: [{ operator: 'channel', operand: stream_id }] }}
                icon="hash"
                name={name}
              />
            )}
          </For>
        </ul>
      </div>
    </nav>
  )
}

function SpectatorFeed(props: { terms: Term[]; openRail(): void }) {
  const messages = windowOf(props.terms)
  const near = beginSelection() ?? nearOf()
  onMount(() => {
    // Requests from before it was clear that the reader has no account have failed.
    if (near !== undefined && !messages.ids().includes(near)) void messages.begin(near)
    else if (messages.anchor() === undefined) void messages.begin('newest')
  })
  return (
    <>
      <ViewHead openRail={props.openRail} title={<FeedTitle terms={props.terms} />} />
      <MessageList
        messages={messages}
        conversation={conversationOf(props.terms, 0)}
        near={near}
        selected={selected()}
        select={setSelected}
      />
    </>
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
