import { onCleanup, onMount } from 'solid-js'
import { isBoxAwaited, onActions, runAction } from '../../lib/actions.ts'
import { t } from '../../lib/i18n.ts'
import { type Action, actionOf, isSingleKey, strokeOf } from '../../lib/keys.ts'
import { type Conversation, conversationKey, parseHash, type Route, termsOf } from '../../lib/route.ts'
import { goTo, goToHash, route } from '../../lib/router.ts'
import { areSingleKeysOn } from '../../lib/single-keys.ts'
import { beginning } from '../../store/composing.ts'
import { home } from '../../store/home.ts'
import { conversationOfMessage } from '../../store/messages.ts'
import { channelAt, conversationAt } from '../../store/places.ts'
import { currentState } from '../../store/server-state.ts'
import { isReady } from '../../store/session.ts'
import { isSpectator } from '../../store/spectator.ts'
import { unreadDirects, unreadTopics } from '../../store/unread.ts'
import { asked } from '../emoji/open-picker.ts'
import { selectedMessage } from '../feed/selection.ts'
import { editing } from '../message/editing.ts'
import { isDialogComing, later, laterWithTexts } from '../parts/dialog.tsx'
import { keepKeys } from '../parts/early-keys.ts'
import { notice } from '../parts/notices.tsx'
import { openCardOf, openGroupOf } from '../people/open-card.ts'
import { openMenuOf } from '../topic/open-menu.ts'
import { openPicture } from '../viewer/open-viewer.ts'

/** Two presses of Escape within this time lead home, in milliseconds. */
const twiceWithin = 1000

/** The actions that keys have for readers without an account. */
const ofSpectators = new Set<Action>([
  ...(['next', 'previous', 'page_down', 'page_up', 'start', 'end'] as const),
  ...(['feed', 'zoom', 'context', 'image', 'help', 'search'] as const),
])

let escapedAt = Number.NEGATIVE_INFINITY

/** Lets the keys of the table in lib/keys.ts work, except while the user writes, and in dialogs and menus. */
export function useKeyboard() {
  onMount(() => {
    document.addEventListener('keydown', onKeyDown)
    document.addEventListener('click', onClick)
    document.addEventListener('contextmenu', onContextMenu)
    onCleanup(() => {
      document.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('click', onClick)
      document.removeEventListener('contextmenu', onContextMenu)
    })
  })
  onCleanup(
    onActions({
      inbox: () => goTo({ view: 'inbox' }),
      recent: () => goTo({ view: 'recent' }),
      drafts: () => goTo({ view: 'drafts' }),
      feed: () => goTo({ view: 'narrow', terms: [] }),
      starred: () => goTo(isView('starred')),
      directs: () => goTo(isView('dm')),
      next_unread_topic: () => nextTopic(false),
      next_unread_followed: () => nextTopic(true),
      next_unread_direct: nextDirect,
      zoom,
      context: inContext,
      previous_view: () => besides(-1),
      next_view: () => besides(1),
      search,
      jump: () => jump(''),
      find_channel: () => jump('#'),
      find_person: () => jump('@'),
      help: () =>
        laterWithTexts(
          () => import('./shortcuts.tsx'),
          ({ Shortcuts }, close) => Shortcuts({ close }),
        ),
    }),
  )
}

/** Names, avatars and mentions open the card of the user or the group, pictures the viewer. */
function onClick(event: MouseEvent) {
  const { target } = event
  if (!(target instanceof Element) || !isReady() || event.ctrlKey || event.metaKey || event.shiftKey) return
  if (openPicture(target)) event.preventDefault()
  else if (!isSpectator() && !openCardOf(target)) openGroupOf(target)
}

/** The channels and topics of the rail have the menus of their views. */
function onContextMenu(event: Event) {
  if (isSpectator()) return
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a.rail-item') : null
  if (!link || !isReady()) return
  if (openMenuOf(parseHash(link.hash), link, t('message.more'))) event.preventDefault()
}

function onKeyDown(event: KeyboardEvent) {
  if (event.isComposing || event.keyCode === 229) return
  const target = event.target instanceof Element ? event.target : document.body
  if (event.key === 'Escape') onEscape(event, target)
  if (event.defaultPrevented || !isReady() || event.key === 'Escape') return
  if (isBoxComing() && !isWriting(target)) return keepForBox(event)
  if (isOccupied(target, event)) return
  const stroke = strokeOf(event)
  if (isSingleKey(stroke) && !areSingleKeysOn()) return
  const action = actionOf(stroke)
  if (!action || (isSpectator() && !ofSpectators.has(action))) return
  if (runAction(action, event)) event.preventDefault()
}

/** Whether the key belongs to the element that has the focus. */
function isOccupied(target: Element, { key, ctrlKey, metaKey }: KeyboardEvent) {
  const isComing = isDialogComing() || asked() !== undefined
  if (document.querySelector('dialog[open], [popover]:popover-open') || isComing) return true
  // The jump works from everywhere but a dialog.
  const isJump = (ctrlKey || metaKey) && key.toLowerCase() === 'k'
  if (isWriting(target)) return !isJump
  const isPress = key === 'Enter' || key === ' '
  return isPress && target.closest('a, button, summary, audio, video, [role=button]') !== null
}

/** Whether a box to write that the user has asked for is still being loaded. */
function isBoxComing() {
  const has = (place: string) => document.querySelector(place) !== null
  if (beginning()) return !has('.begin-box')
  return (
    has(`[data-id="${editing()}"]:not(:has(.edit-box :is(textarea, [role=alert])))`) ||
    (isBoxAwaited() && has('.writing-place.reserved:not(:has(form, [role=alert]))'))
  )
}

/** The box gets the keys that are pressed until it has the focus, unless it cannot be loaded. */
function keepForBox(event: KeyboardEvent) {
  const early = keepKeys(event)
  const give = () => {
    if (document.activeElement && isWriting(document.activeElement)) early.replay()
    else early.end()
  }
  // The box to edit takes the focus in the frame after the one in which it comes.
  const look = () => requestAnimationFrame(isBoxComing() ? look : give)
  look()
}

export function isWriting(target: Element) {
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type)
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target as HTMLElement).isContentEditable
  )
}

/** Escape closes what is open; the second one leads home. */
function onEscape(event: KeyboardEvent, target: Element) {
  if (target.closest('dialog, [popover]')) return
  const isSecond = event.timeStamp - escapedAt < twiceWithin
  escapedAt = event.timeStamp
  const leadsHome = currentState().user_settings?.web_escape_navigates_to_home_view !== false
  if (isSecond && leadsHome && !isWriting(target)) {
    escapedAt = Number.NEGATIVE_INFINITY
    goToHash(home())
  } else if (!isWriting(target)) runAction('escape', event)
}

/** Opens the search, with the terms of the results that are shown. */
function search() {
  later(
    () => import('../search/search.tsx'),
    ({ Search }, close) => Search({ close }),
    keepKeys(),
  )
}

function jump(first: string) {
  later(
    () => import('../search/jump.tsx'),
    ({ Jump }, close) => Jump({ first, close }),
    keepKeys(),
  )
}

function isView(operand: string): Route {
  return { view: 'narrow', terms: [{ operator: 'is', operand }] }
}

function open(conversation: Conversation, near?: number) {
  const terms = termsOf(conversation, currentState().user_id)
  goTo({ view: 'narrow', terms, ...(near !== undefined && { near }) })
}

/** The newest unread topic but the one that is open; those of the same channel come first. */
function nextTopic(onlyFollowed: boolean) {
  const channelId = channelAt(route())
  openNext(
    unreadTopics()
      .filter((one) => !one.isMuted && (!onlyFollowed || one.isFollowed))
      .sort((a, b) => Number(b.channelId === channelId) - Number(a.channelId === channelId)),
  )
}

function nextDirect() {
  openNext(unreadDirects())
}

/** The newest messages of the unread conversations to which keys have led: the next key leads on to others, and then round. */
const passed = new Set<number>()

function openNext(all: (Conversation & { newest: number })[]) {
  const now = conversationAt(route())
  const others = all.filter((one) => !now || conversationKey(one) !== conversationKey(now))
  const isPassed = ({ newest }: { newest: number }) => passed.has(newest)
  if (!now || others.every(isPassed)) passed.clear()
  const next = others.find((one) => !isPassed(one))
  if (!next) return notice(t('keys.nothing_unread'))
  passed.add(next.newest)
  open(next)
}

/** From a topic to its channel, and from anywhere else to the topic of the selected message. */
function zoom() {
  const now = conversationAt(route())
  if (now && 'channelId' in now) {
    goTo({ view: 'narrow', terms: [{ operator: 'channel', operand: now.channelId }] })
    return true
  }
  return !now && inContext()
}

function inContext() {
  const chosen = selectedMessage()
  if (!chosen) return false
  open(conversationOfMessage(chosen), chosen.id)
  return true
}

/** The view above or below the open one in the rail. */
function besides(direction: 1 | -1) {
  const all = [...document.querySelectorAll<HTMLAnchorElement>('.rail a.rail-item')]
  const at = all.findIndex((link) => link.hasAttribute('aria-current'))
  const next = all[(at + direction + all.length) % all.length]
  if (next) location.hash = next.hash
}
