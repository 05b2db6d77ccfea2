import './notices.css'
import { type Accessor, createRoot, createSignal, For, onCleanup, onMount, Show } from 'solid-js'
import { get } from '../../api/client.ts'
import { errorMessage, isPartMissing, isUnreachable } from '../../lib/error-message.ts'
import { t } from '../../lib/i18n.ts'
import { focusFirst } from './focus.ts'
import { Icon } from './icon.tsx'

/** An action that a notice offers, such as to undo a change. */
type Offer = { label: string; run(): void }
/** `kind`: a newer notice of the same kind takes its place. */
type Options = { offer?: Offer; isFailure?: boolean; kind?: string }
/** `times`: how often the same was told while it is shown. */
type Notice = Options & { id: number; text: string; times: Accessor<number>; repeat(): void }

/** How long a notice stays, in milliseconds: longer if it offers something. */
const stays = 5000
const staysWithOffer = 10_000

const [notices, setNotices] = createRoot(() => createSignal<Notice[]>([]))
/** The elements of the open view that can hold notices, the best one last. */
const [places, setPlaces] = createRoot(() => createSignal<Element[]>([]))
let last = 0

/** Tells the user quietly of something that was done. */
export function notice(text: string, options: Options = {}) {
  const same = notices().find(
    (one) => one.kind !== undefined && one.kind === options.kind && one.text === text,
  )
  // Its buttons stay, as the user may be pressing one.
  if (same) return same.repeat()
  const one = createNotice(text, options)
  setNotices((all) => [...all.filter(({ kind }) => !kind || kind !== one.kind).slice(-2), one])
  one.repeat()
}

function createNotice(text: string, options: Options): Notice {
  const [times, setTimes] = createSignal(0)
  const id = ++last
  const closeAfter = (time: number) => {
    const before = times()
    setTimeout(() => {
      if (before !== times()) return
      // One that the pointer or the focus is in is being read, or about to be pressed.
      if (document.querySelector('.notice:is(:hover, :focus-within)')) closeAfter(stays)
      else close(id)
    }, time)
  }
  const repeat = () => {
    setTimes((count) => count + 1)
    closeAfter(options.offer || options.isFailure ? staysWithOffer : stays)
  }
  return { id, text, ...options, times, repeat }
}

/** Tells the user that a request did not succeed, once if the same happens again. To be used as `.catch(noticeFailure)`. */
export function noticeFailure(error: unknown) {
  const reason = errorMessage(error)
  const text = isUnreachable(error) || isPartMissing(error) ? reason : t('notice.failed', { reason })
  notice(text, { isFailure: true, kind: text, ...(isPartMissing(error) && { offer: reloading() }) })
}

function reloading(): Offer {
  return { label: t('notice.reload'), run: () => void reload().catch(noticeFailure) }
}

/** Loads the page again, which keeps drafts and the open view; not while the server cannot be reached, as the page would be gone. */
export async function reload() {
  await get('/server_settings')
  location.reload()
}

function close(id: number) {
  setNotices((all) => all.filter((one) => one.id !== id))
}

export const noticePlace = () => places().at(-1)

/** Room for notices between the parts of a view, as they must hide nothing that is read, written or pressed. `isSpare`: others are better. */
export function NoticePlace(props: { isSpare?: boolean }) {
  let place!: HTMLDivElement
  onMount(() => setPlaces((all) => (props.isSpare ? [place, ...all] : [...all, place])))
  onCleanup(() => setPlaces((all) => all.filter((other) => other !== place)))
  return <div ref={place} class="notice-place" />
}

/** The notices; once in the page. */
export function Notices() {
  /** The element that had the focus before a notice took it. */
  let before: Element | null = null
  const leave = (id: number) => {
    close(id)
    focusFirst(before ? [before] : [])
  }
  return (
    <div
      class="notices"
      role="status"
      aria-label={t('notice.label')}
      onFocusIn={({ currentTarget, relatedTarget }) => {
        const from = relatedTarget as Element | null
        if (!currentTarget.contains(from)) before = from
      }}
    >
      <For each={notices()}>{(one) => <NoticeLine notice={one} leave={() => leave(one.id)} />}</For>
    </div>
  )
}

function NoticeLine(props: { notice: Notice; leave(): void }) {
  const { text, isFailure, offer } = props.notice
  return (
    <p class="notice" classList={{ failure: isFailure }}>
      <Show when={isFailure}>
        <Icon name="warning" />
      </Show>
      {/* Made anew when the same happens again, so that screen readers say it again. */}
      <Show when={props.notice.times()} keyed>
        <span dir="auto">{text}</span>
      </Show>
      <Show when={offer}>
        {(offered) => (
          <button
            type="button"
            class="button"
            onClick={() => {
              props.leave()
              offered().run()
            }}
          >
            {offered().label}
          </button>
        )}
      </Show>
      <button type="button" class="icon-button" aria-label={t('notice.close')} onClick={() => props.leave()}>
        <Icon name="close" />
      </button>
    </p>
  )
}
