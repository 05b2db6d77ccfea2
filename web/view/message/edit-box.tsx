import { createResource, createSignal, onCleanup, onMount, Show } from 'solid-js'
import { patch } from '../../api/client.ts'
import { onActions } from '../../lib/actions.ts'
import { t } from '../../lib/i18n.ts'
import type { Message } from '../../store/messages.ts'
import { field } from '../../store/server-state.ts'
import { tellEditing, tellStopped } from '../../store/typing.ts'
import { ErrorText } from '../parts/error-text.tsx'
import { isElsewhere } from '../parts/focus.ts'
import { noticeFailure } from '../parts/notices.tsx'
import { valueIn } from '../parts/value-in.ts'
import { sourceOf } from './commands.ts'
import { editing, editTexts, setEditing } from './editing.ts'
import { editDeadline } from './permissions.ts'
import { timeLeft } from './time-left.ts'

/** The text of a message in the place of the message, to be changed. */
export function EditBox(props: { message: Message }) {
  const edit = createEdit(props.message)
  // Also before the box has the focus.
  onCleanup(onActions({ escape: edit.close }))
  onCleanup(tellStopped)
  return (
    <form
      class="edit-box"
      aria-label={t('message.edit')}
      onSubmit={(event) => {
        event.preventDefault()
        void edit.save()
      }}
    >
      <Show when={edit.isRead()} fallback={<Waiting failure={edit.failure()} />}>
        <EditArea value={edit.value()} write={edit.write} onKeyDown={(event) => onKeyDown(event, edit)} />
      </Show>
      <div class="edit-tools">
        <span class="mark">{timeLeft(editDeadline(props.message))}</span>
        <button type="button" class="button" onClick={edit.discard}>
          {t('message.cancel')}
        </button>
        <button type="submit" class="button primary" aria-disabled={edit.isSaving()}>
          {t('message.save')}
        </button>
      </div>
    </form>
  )
}

/** What stands in place of the text until it is there, and if it does not come. */
function Waiting(props: { failure: unknown }) {
  return (
    <Show when={props.failure} fallback={<p class="skeleton edit-waiting" />}>
      <ErrorText error={props.failure} />
    </Show>
  )
}

/** The text while it is changed, and what becomes of it. */
function createEdit(message: Message) {
  const { id } = message
  const [source] = createResource(() => sourceOf(message))
  const [text, setText] = createSignal(editTexts.get(id))
  const [isSaving, setSaving] = createSignal(false)
  // A text that was changed before needs no source to be changed further.
  const isRead = () => text() !== undefined || valueIn(source) !== undefined
  const value = () => text() ?? valueIn(source) ?? ''

  /** Closes the box. It shows the changes again when it is opened the next time. */
  function close() {
    // Once it is saved, the user may be elsewhere already.
    if (editing() !== id) return
    const focused = document.activeElement
    setEditing(undefined)
    if (focused === document.body || focused?.closest('.edit-box')) focusRow(id)
  }

  function discard() {
    editTexts.delete(id)
    close()
  }

  function write(next: string) {
    setText(next)
    editTexts.set(id, next)
    tellEditing(message)
  }

  async function save() {
    if (isSaving() || !isRead()) return
    setSaving(true)
    try {
      if (value() !== valueIn(source)) await patch(`/messages/${id}`, { content: value() })
      discard()
    } catch (error) {
      noticeFailure(error)
      setSaving(false)
    }
  }

  return { value, isRead, failure: () => source.error as unknown, isSaving, write, save, discard, close }
}

function onKeyDown(event: KeyboardEvent, edit: ReturnType<typeof createEdit>) {
  if (event.isComposing) return
  if (event.key === 'Escape') {
    event.preventDefault()
    event.stopPropagation()
    edit.close()
  }
  if (event.key !== 'Enter' || event.shiftKey) return
  const entersSend = field('user_settings')?.enter_sends ?? false
  if (entersSend === (event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  void edit.save()
}

function EditArea(props: {
  value: string
  write(text: string): void
  onKeyDown(event: KeyboardEvent): void
}) {
  let area!: HTMLTextAreaElement
  onMount(() => {
    // The box is in the page from the next frame on.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === area || isElsewhere(area)) return
      area.focus({ preventScroll: true })
      area.setSelectionRange(area.value.length, area.value.length)
      area.scrollIntoView({ block: 'nearest' })
    })
    onCleanup(() => cancelAnimationFrame(frame))
  })
  return (
    <textarea
      ref={area}
      class="field"
      dir="auto"
      rows={Math.min(12, props.value.split('\n').length + 1)}
      aria-label={t('message.edit')}
      value={props.value}
      onInput={(event) => props.write(event.currentTarget.value)}
      onKeyDown={(event) => props.onKeyDown(event)}
    />
  )
}

function focusRow(id: number) {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`article[data-id="${id}"]`)?.focus({ preventScroll: true }),
  )
}
