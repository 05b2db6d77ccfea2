import './search.css'
import { createMemo, createResource, createSignal, For, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import type { Conversation } from '../../lib/route.ts'
import { route } from '../../lib/router.ts'
import { readDay } from '../../lib/search.ts'
import { withKept } from '../../lib/with-kept.ts'
import { loadWithTexts } from '../../lib/with-texts.ts'
import { channelName, channelOf } from '../../store/channels.ts'
import { addToDraft } from '../../store/drafts.ts'
import type { Message } from '../../store/messages.ts'
import { availabilityOf, avatarOf } from '../../store/people.ts'
import { writeTo } from '../message/commands.ts'
import { quoteOf } from '../message/more-commands.ts'
import { ChannelIcon } from '../parts/channel-icon.tsx'
import { now } from '../parts/clock.ts'
import { narrowName } from '../parts/conversation-name.ts'
import { Dialog } from '../parts/dialog-panel.tsx'
import { isElsewhere } from '../parts/focus.ts'
import { Icon } from '../parts/icon.tsx'
import { noticeFailure } from '../parts/notices.tsx'
import { openAtDate } from './go-to-date.tsx'
import { conversationOf, findPlaces, knownTopics, openPlace, type SearchPlace } from './places.ts'
import { dayLabel } from './suggestions.ts'

/** Goes to a channel, topic, person, view or setting by a part of the name. `first`: `#` or `@` to look for one kind alone. */
export function Jump(props: { first?: string; close(): void }) {
  return (
    <Chooser
      title={t('keys.jump')}
      placeholder={t('jump.placeholder')}
      first={props.first ?? ''}
      close={props.close}
      choose={(place) =>
        place.kind === 'day' ? openAtDate(place.terms, place.day).catch(noticeFailure) : openPlace(place)
      }
      takes={() => true}
      hasScreens
    />
  )
}

/** Sends messages on: chooses where, and puts their quotes into the box there. */
export function Forward(props: { messages: Message[]; close(): void }) {
  const forward = (place: SearchPlace) => {
    const to = conversationOf(place)
    if (to) forwardTo(to, props.messages).catch(noticeFailure)
  }
  return (
    <Chooser
      title={t('message.forward')}
      placeholder={t('jump.forward')}
      first=""
      close={props.close}
      choose={forward}
      takes={(place) => conversationOf(place) !== undefined}
    />
  )
}

/** Writes quotes of messages into the box of a conversation, and goes there unless the user has gone elsewhere meanwhile. */
async function forwardTo(to: Conversation, messages: Message[]) {
  const from = location.hash
  const quotes = (await Promise.all(messages.map(quoteOf))).join('\n')
  if (location.hash === from && !isElsewhere(document.body)) writeTo(to, quotes)
  else addToDraft(to, quotes)
}

type ChooserProps = {
  title: string
  placeholder: string
  first: string
  close(): void
  choose(place: SearchPlace): void
  takes(place: SearchPlace): boolean
  /** Whether views and settings are found, too. */
  hasScreens?: boolean
}

function Chooser(props: ChooserProps) {
  const { typed, type, found, at, setAt, choose, onKeyDown } = createChoice(props)
  return (
    <Dialog title={props.title} close={props.close} class="jump">
      <input
        class="field"
        autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls="jump-places"
        aria-activedescendant={`jump-${at()}`}
        aria-label={props.title}
        placeholder={props.placeholder}
        value={typed()}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div id="jump-places" class="jump-places" role="listbox" aria-label={props.title} tabindex="-1">
        <For each={found()}>
          {(place, index) => (
            <button
              type="button"
              tabindex="-1"
              id={`jump-${index()}`}
              role="option"
              aria-selected={index() === at()}
              onMouseMove={() => setAt(index())}
              onClick={() => choose(place)}
            >
              <PlaceLine place={place} />
            </button>
          )}
        </For>
      </div>
      <Show when={found().length === 0}>
        <p class="inbox-note">{t('jump.nothing')}</p>
      </Show>
    </Dialog>
  )
}

/** The text of the field, the matching places, and the one that the keys have chosen. */
function createChoice(props: ChooserProps) {
  const [typed, setTyped] = createSignal(props.first)
  const [at, setAt] = createSignal(0)
  const topics = knownTopics()
  const findScreens = createScreenFinder(() => props.hasScreens === true && /^[^#@]/.test(typed()))
  const find = () => {
    const day = dayPlace(typed())
    const places = day ? [day] : [...findPlaces(typed(), topics), ...findScreens(typed())]
    return places.filter((place) => props.takes(place))
  }
  const found = createMemo<SearchPlace[]>((before) => withKept(before, find()), [])

  function type(text: string) {
    setTyped(text)
    setAt(0)
  }

  function choose(place: SearchPlace | undefined) {
    if (!place) return
    props.close()
    props.choose(place)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.isComposing) return
    if (event.key === 'ArrowDown') setAt((index) => Math.min(index + 1, found().length - 1))
    else if (event.key === 'ArrowUp') setAt((index) => Math.max(0, index - 1))
    else if (event.key === 'Enter') choose(found()[at()])
    else return
    event.preventDefault()
  }

  return { typed, type, found, at, setAt, choose, onKeyDown }
}

/** Finds views and settings, whose names are loaded when they are wanted first. */
function createScreenFinder(isWanted: () => boolean) {
  const [find] = createResource(isWanted, async () => {
    const { loadScreens } = await loadWithTexts(() => import('./screens.ts'))
    return loadScreens()
  })
  // Without them, the rest is found as well.
  return (typed: string): SearchPlace[] => (isWanted() && find.state === 'ready' ? find()(typed) : [])
}

/** A day of the view that is open, or else of the combined feed. */
function dayPlace(typed: string): SearchPlace | undefined {
  const day = readDay(typed)
  const here = route()
  if (day === undefined) return undefined
  return { kind: 'day', day, terms: here.view === 'narrow' ? here.terms : [], name: dayLabel(day) }
}

function PlaceLine(props: { place: SearchPlace }) {
  const place = props.place
  if (place.kind === 'day')
    return (
      <>
        <Icon name="clock" />
        <span class="place-name">{place.name}</span>
        <span class="inbox-note">{narrowName(place.terms)}</span>
      </>
    )
  if (place.kind === 'screen')
    return (
      <>
        <Icon name={/^(settings|organization|groups)/.test(place.address) ? 'settings' : 'right'} />
        <span class="place-name">{place.name}</span>
        <span class="inbox-note">{place.section}</span>
      </>
    )
  if (place.kind === 'person')
    return (
      <>
        <img class="avatar" style={{ '--avatar-size': '22px' }} src={avatarOf(place.userId)} alt="" />
        <span class="place-name" dir="auto">
          {place.name}
        </span>
        <span class={`presence ${availabilityOf(place.userId, now())}`} />
        <span class="inbox-note">{place.email}</span>
      </>
    )
  return (
    <>
      <ChannelIcon channel={channelOf(place.channelId)} />
      <span class="place-name" dir="auto">
        {place.name}
      </span>
      <Show when={place.kind === 'topic'}>
        <span class="inbox-note">{channelName(place.channelId)}</span>
      </Show>
    </>
  )
}
