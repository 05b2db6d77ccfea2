import { For, onCleanup, onMount, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { type Conversation, conversationKey } from '../../lib/route.ts'
import { block } from '../../lib/text-edit.ts'
import { largestFile, type Upload, upload, uploadsTo } from '../../store/uploads.ts'
import { Icon } from '../parts/icon.tsx'
import { notice } from '../parts/notices.tsx'
import { applyEdit, replaceInText, selectedIn } from './area.ts'

/** Sends files, each with a placeholder in the text that its link replaces. */
export function attach(files: Iterable<File>, conversation: Conversation, area: HTMLTextAreaElement) {
  const limit = largestFile()
  for (const file of files) {
    if (limit !== undefined && file.size > limit) {
      notice(t('upload.too_large', { name: file.name, size: limit / 1024 / 1024 }), { isFailure: true })
      continue
    }
    const started: Upload = upload(file, conversation, (name) => t('upload.placeholder', { name }), {
      done: (link, place) => replaceInText(place, started.placeholder, link),
      failed: (reason, place) => {
        replaceInText(place, `${started.placeholder}\n`, '')
        replaceInText(place, started.placeholder, '')
        if (reason !== undefined)
          notice(t('upload.failed', { name: file.name, reason: reason || t('upload.unreachable') }), {
            isFailure: true,
          })
      },
    })
    applyEdit(area, block(selectedIn(area), started.placeholder))
  }
}

/** The files on their way, each with what it needs to be stopped. */
export function Uploads(props: { conversation: Conversation; area(): HTMLTextAreaElement }) {
  const here = () => uploadsTo(conversationKey(props.conversation))
  /** A row that goes with the focus in it leaves it to the text. */
  const giveFocusBack = (row: HTMLElement) =>
    onCleanup(() => row.contains(document.activeElement) && props.area().focus())
  return (
    <Show when={here().length > 0}>
      <ul class="uploads" aria-label={t('upload.label')}>
        <For each={here().map(({ id }) => id)}>
          {(id) => (
            <Show when={here().find((one) => one.id === id)}>
              {(one) => (
                <li ref={giveFocusBack}>
                  <Icon name="attach" />
                  <span class="upload-name" dir="auto">
                    {one().name}
                  </span>
                  <progress
                    value={one().progress}
                    aria-label={t('upload.placeholder', { name: one().name })}
                  />
                  <button
                    type="button"
                    class="icon-button"
                    title={t('upload.cancel')}
                    aria-label={`${t('upload.cancel')}: ${one().name}`}
                    onClick={() => one().cancel()}
                  >
                    <Icon name="close" />
                  </button>
                </li>
              )}
            </Show>
          )}
        </For>
      </ul>
    </Show>
  )
}

/**
 * Takes files that are dropped anywhere over a place, and says that they can be: over the messages, or over a box among them,
 * which keeps what happens in it to itself.
 */
export function useDrops(take: (files: FileList) => void, placeOf = () => document.getElementById('main')) {
  onMount(() => {
    const place = placeOf()
    if (!place) return
    // Enter and leave come for each element on the way.
    let depth = 0
    const show = (isOver: boolean) => place.classList.toggle('drop-target', isOver)
    const on = (name: string, act: (event: DragEvent) => void) => {
      const listener = (event: Event) => {
        const drag = event as DragEvent
        if (!drag.dataTransfer?.types.includes('Files')) return
        event.stopPropagation()
        act(drag)
      }
      place.addEventListener(name, listener)
      onCleanup(() => place.removeEventListener(name, listener))
    }
    place.dataset.dropText = t('upload.drop')
    on('dragenter', () => show(++depth > 0))
    on('dragleave', () => show(--depth > 0))
    on('dragover', (event) => event.preventDefault())
    on('drop', (event) => {
      event.preventDefault()
      depth = 0
      show(false)
      if (event.dataTransfer) take(event.dataTransfer.files)
    })
    onCleanup(() => show(false))
  })
}
