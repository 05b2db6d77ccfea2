import './viewer.css'
import { createSignal, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { Icon } from '../parts/icon.tsx'
import { useModal } from '../parts/panel.tsx'

export type Picture = { source: string; original: string; name: string; isVideo: boolean }

/** Shows pictures and videos large, one at a time. */
export function Viewer(props: { pictures: Picture[]; start: number; close(): void }) {
  let element!: HTMLDialogElement
  const [at, setAt] = createSignal(props.start)
  const picture = () => props.pictures[at()] as Picture
  const step = (by: number) => setAt((now) => (now + by + props.pictures.length) % props.pictures.length)
  useModal(() => element, props.close)

  function onKeyDown(event: KeyboardEvent) {
    const isRightToLeft = document.documentElement.dir === 'rtl'
    if (event.key === 'ArrowRight') step(isRightToLeft ? -1 : 1)
    else if (event.key === 'ArrowLeft') step(isRightToLeft ? 1 : -1)
    else if (event.key === 'v') props.close()
    else return
    event.preventDefault()
  }

  return (
    <dialog
      ref={element}
      class="viewer"
      aria-label={picture().name || t('viewer.title')}
      onKeyDown={onKeyDown}
    >
      <Head picture={picture()} at={at() + 1} count={props.pictures.length} close={props.close} />
      <div class="viewer-stage">
        <Show
          when={!picture().isVideo}
          fallback={
            // biome-ignore lint/a11y/useMediaCaption: users upload videos without captions
            <video src={picture().source} controls />
          }
        >
          <img src={picture().source} alt={picture().name} />
        </Show>
      </div>
      <Show when={props.pictures.length > 1}>
        <Steps step={step} />
      </Show>
    </dialog>
  )
}

function Head(props: { picture: Picture; at: number; count: number; close(): void }) {
  return (
    <header>
      <span class="viewer-name" dir="auto">
        {props.picture.name}
      </span>
      <Show when={props.count > 1}>
        <span>{t('viewer.position', { at: props.at, count: props.count })}</span>
      </Show>
      <a class="button" href={props.picture.original} target="_blank" rel="noopener noreferrer">
        {t('viewer.original')}
      </a>
      <button
        type="button"
        class="button"
        aria-label={t('dialog.close')}
        autofocus
        onClick={() => props.close()}
      >
        <Icon name="close" />
      </button>
    </header>
  )
}

function Steps(props: { step(by: number): void }) {
  return (
    <footer>
      <button type="button" class="button" aria-label={t('viewer.previous')} onClick={() => props.step(-1)}>
        <Icon name="back" />
      </button>
      <button type="button" class="button" aria-label={t('viewer.next')} onClick={() => props.step(1)}>
        <Icon name="right" />
      </button>
    </footer>
  )
}
