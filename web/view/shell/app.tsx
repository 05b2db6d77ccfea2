import './cut-names.css'
import './hint-card.css'
import './shell.css'
import { createEffect, createMemo, createSignal, ErrorBoundary, Match, onMount, Show, Switch } from 'solid-js'
import { errorMessage } from '../../lib/error-message.ts'
import { t } from '../../lib/i18n.ts'
import { untilLoaded } from '../../lib/load-part.ts'
import { route } from '../../lib/router.ts'
import { field } from '../../store/server-state.ts'
import { bootFailure, isConnected, isHindered, isReady } from '../../store/session.ts'
import { isSpectator } from '../../store/spectator.ts'
import { unreadCalls } from '../../store/unread.ts'
import { Beginning } from '../compose/boxes.tsx'
import { areDetailsOpen, detailsOf } from '../details/open-details.ts'
import { Feed } from '../feed/feed.tsx'
import { Inbox } from '../inbox/inbox.tsx'
import { narrowName } from '../parts/conversation-name.ts'
import { lazyPart, lazyPartWithTexts } from '../parts/lazy-part.tsx'
import { NoticePlace, noticeFailure } from '../parts/notices.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { closeDrawer, DrawerShade, isDrawerOpen, useDrawer } from './drawer.tsx'
import { useKeyboard } from './keyboard.ts'
import { watchForNotifications } from './notifications.ts'
import { Overlays } from './overlays.tsx'
import { Rail } from './rail.tsx'

const Channels = lazyPartWithTexts(() => import('../channels/channels.tsx'), 'Channels')
const Topics = lazyPartWithTexts(() => import('../channels/topics.tsx'), 'Topics')
const Recent = lazyPart(() => import('../recent/recent.tsx'), 'Recent')
const Details = lazyPart(() => import('../details/details.tsx'), 'Details')
const Settings = lazyPartWithTexts(() => import('../settings/settings.tsx'), 'Settings')
const Drafts = lazyPartWithTexts(() => import('../drafts/drafts.tsx'), 'Drafts')
const SpectatorShell = lazyPart(() => import('../spectator/spectator.tsx'), 'SpectatorShell')

/** How long a break of the connection stays unmentioned, in milliseconds. */
const patience = 4000

export function App() {
  showInTitle()
  useKeyboard()
  untilLoaded(() => import('./afterwards.ts'))
    .then(({ beginAfterwards }) => beginAfterwards())
    .catch(noticeFailure)
  followAppearance()
  watchForNotifications()
  return (
    <>
      <button type="button" class="skip-link" onClick={() => document.getElementById('main')?.focus()}>
        {t('app.skip')}
      </button>
      <Show when={!isSpectator()} fallback={<SpectatorShell />}>
        <MemberShell />
      </Show>
      <Overlays />
    </>
  )
}

function MemberShell() {
  useDrawer()
  return (
    <div class="shell" classList={{ 'rail-open': isDrawerOpen() }}>
      <Rail />
      <DrawerShade />
      <main id="main" tabindex="-1" aria-busy={!isReady()} onFocusIn={closeDrawer}>
        <ConnectionBar />
        <ErrorBoundary
          fallback={(error) => (
            <p class="empty" role="alert">
              {errorMessage(error)}
            </p>
          )}
        >
          <Show when={!bootFailure()} fallback={<BootFailure />}>
            <View />
            <NoticePlace isSpare />
            <Beginning />
          </Show>
        </ErrorBoundary>
      </main>
      <Show when={isReady() && areDetailsOpen() && detailsOf(route())}>{(of) => <Details of={of()} />}</Show>
      <BottomBar />
    </div>
  )
}

function View() {
  // The terms as text, so that a message within the same narrow does not make the view anew.
  const narrow = createMemo(() => {
    const now = route()
    return now.view === 'narrow' ? JSON.stringify(now.terms) : undefined
  })
  return (
    <Switch
      fallback={
        <Show when={isReady()} fallback={<Loading />}>
          <Inbox />
        </Show>
      }
    >
      <Match when={narrow()} keyed>
        {(terms) => <Feed terms={JSON.parse(terms)} />}
      </Match>
      <Match when={route().view === 'recent' && isReady()}>
        <Recent />
      </Match>
      <Match when={route().view === 'drafts' && isReady()}>
        <Drafts />
      </Match>
      <Match when={route().view === 'channels' && isReady()}>
        <Channels />
      </Match>
      <Match when={route().view === 'settings' && isReady()}>
        <Settings />
      </Match>
      <Match when={topicsOf()} keyed>
        {(channelId) => <Topics channelId={channelId} />}
      </Match>
    </Switch>
  )
}

function topicsOf() {
  const now = route()
  return now.view === 'topics' && isReady() ? now.channelId : undefined
}

function Loading() {
  return (
    <p class="empty" aria-busy="true">
      {t('app.loading')}
    </p>
  )
}

function BootFailure() {
  return (
    <div class="empty" role="alert">
      <h2>{t('app.failed')}</h2>
      <p>{errorMessage(bootFailure())}</p>
      <button type="button" class="button" onClick={() => location.reload()}>
        {t('feed.retry')}
      </button>
    </div>
  )
}

function ConnectionBar() {
  const [isShown, setShown] = createSignal(false)
  const [isOnline, setOnline] = createSignal(navigator.onLine)
  for (const event of ['online', 'offline']) addEventListener(event, () => setOnline(navigator.onLine))
  const isFine = () => isConnected() && !isHindered()
  createEffect(() => {
    if (isFine()) setShown(false)
    // Without network, the user sees what there was before, and is told so immediately.
    else if (isOnline()) setTimeout(() => setShown(!isFine()), patience)
    else setShown(true)
  })
  return (
    <Show when={isShown()}>
      <p class="connection-bar" role="status">
        {t(isOnline() ? 'app.reconnecting' : 'app.offline')}
      </p>
    </Show>
  )
}

/** "(3) Dark theme – Rookery" */
function showInTitle() {
  createEffect(() => {
    const now = route()
    const name = now.view === 'narrow' ? narrowTitle(now.terms) : t(`view.${now.view}`)
    const calls = isReady() ? unreadCalls() : 0
    document.title = `${calls > 0 ? `(${calls}) ` : ''}${name} – ${field('realm_name') ?? 'Rookery'}`
  })
  const calls = createMemo(() => (isReady() ? unreadCalls() : 0))
  createEffect(() => void navigator.setAppBadge?.(calls()).catch(() => {}))
}

function narrowTitle(terms: Parameters<typeof narrowName>[0]) {
  const topic = terms.find(({ operator }) => operator === 'topic')
  return topic ? String(topic.operand) || (field('realm_empty_topic_display_name') ?? '') : narrowName(terms)
}

/** The user's text size, line height and theme. */
function followAppearance() {
  const root = document.documentElement
  root.dataset.density = localStorage.getItem('rookery.density') ?? ''
  onMount(() => {
    createEffect(() => {
      const settings = field('user_settings')
      if (!settings) return
      root.dataset.theme =
        ({ 2: 'dark', 3: 'light' } as Record<number, string>)[settings.color_scheme] ?? 'auto'
      root.style.setProperty('--text-size', `${settings.web_font_size_px}px`)
      root.style.setProperty('--leading', String(settings.web_line_height_percent / 100))
    })
  })
}
