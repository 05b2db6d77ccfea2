import { createEffect, createResource, createSignal, onCleanup, Show } from 'solid-js'
import { ApiFailure, patch } from '../../api/client.ts'
import { onActions } from '../../lib/actions.ts'
import { ShownError } from '../../lib/error-message.ts'
import { t } from '../../lib/i18n.ts'
import { addToDraft } from '../../store/drafts.ts'
import { conversationOfMessage, type Message, message } from '../../store/messages.ts'
import { tellEditing, tellStopped } from '../../store/typing.ts'
import { uploadsTo, withoutUploads } from '../../store/uploads.ts'
import { isReplacing } from '../compose/area.ts'
import { EditWarnings } from '../compose/warnings.tsx'
import { ErrorText } from '../parts/error-text.tsx'
import { notice, noticeFailure } from '../parts/notices.tsx'
import { valueIn } from '../parts/value-in.ts'
import { EditArea, keyOfEdit } from './edit-area.tsx'
import { editing, editsKey, keptEdits, setEditing } from './editing.ts'
import { sourceOf } from './more-commands.ts'
import { editDeadline } from './permissions.ts'
import { timeLeft } from './time-left.ts'

/** The typed texts, kept while their boxes are closed. */
const editTexts = new Map(keptEdits())

function keepEdit(id: number, text: string, source: string) {
  editTexts.delete(id)
  editTexts.set(id, { text: withoutUploads(keyOfEdit(id), text), source })
  keepEdits()
}

function keepEdits() {
  try {
    sessionStorage.setItem(editsKey, JSON.stringify([...editTexts]))
  } catch {
    // The storage is full: the texts stay as long as the page does.
  }
}

function forgetEdit(id: number) {
  editTexts.delete(id)
  keepEdits()
}

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
        <EditWarnings message={props.message} text={edit.value()} sent={edit.original()} />
        <EditArea message={props.message} {...edit} />
      </Show>
      <div class="edit-tools">
        <span class="mark">{timeLeft(editDeadline(props.message))}</span>
        <button type="button" class="button" onClick={edit.discard}>
          {t('message.cancel')}
        </button>
        <button type="submit" class="button primary" aria-disabled={edit.isBusy()}>
          {t('message.save')}
        </button>
      </div>
    </form>
  )
}

/** Shown until the text is loaded, or if loading fails. */
function Waiting(props: { failure: unknown }) {
  return (
    <Show when={props.failure} fallback={<p class="skeleton edit-waiting" />}>
      <ErrorText error={props.failure} />
    </Show>
  )
}

/** The text while it is changed, and what becomes of it. */
function createEdit(edited: Message) {
  const { id } = edited
  const before = editTexts.get(id)
  // A text that was changed before goes on from the source that it had.
  const [source, { mutate }] = createResource(() => before?.source ?? sourceOf(edited))
  const [text, setText] = createSignal(before?.text)
  const [isSaving, setSaving] = createSignal(false)
  const { isBusy, wait } = createWait(id, isSaving, () => void save())
  const isRead = () => valueIn(source) !== undefined
  const original = () => valueIn(source) ?? ''
  const value = () => text() ?? original()

  onCleanup(() => message(id) || saveFromLoss(edited))

  const close = () => closeBox(id)

  function discard() {
    forgetEdit(id)
    close()
  }

  function write(next: string) {
    setText(next)
    if (!isReplacing) wait(false)
    keepEdit(id, next, original())
    tellEditing(edited)
  }

  const end = async (saved: string) => ((await hasMore(edited, saved, mutate)) ? setSaving(false) : discard())

  async function save() {
    if (isSaving() || !isRead() || wait()) return
    setSaving(true)
    const [content, old] = [value(), original()]
    try {
      if (content !== old) await patch(`/messages/${id}`, { content, ...(await ifStill(edited, old)) })
      await end(content)
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.code !== mismatch) noticeFailure(error)
      // An earlier save whose answer was lost has saved it.
      else if ((await readOther(edited, mutate)) === content.trim()) return end(content)
      else noticeFailure(new ShownError(t('edit.changed')))
      setSaving(false)
    }
  }

  const actions = { write, save, discard, close }
  return { value, original, isRead, failure: () => source.error as unknown, isBusy, ...actions }
}

/** Lets a save wait until the files of the text have arrived. */
function createWait(id: number, isSaving: () => boolean, save: () => void) {
  const isUploading = () => uploadsTo(keyOfEdit(id)).length > 0
  const [isWaiting, setWaiting] = createSignal(false)
  createEffect(() => isWaiting() && !isUploading() && save())
  return {
    isBusy: () => isSaving() || isWaiting(),
    wait: (does = isUploading()) => setWaiting(does),
  }
}

/** Closes a box. It shows the changes again when it is opened the next time. */
function closeBox(id: number) {
  // Once it is saved, the user may be elsewhere already.
  if (editing() !== id) return
  const focused = document.activeElement
  setEditing(undefined)
  if (focused === document.body || focused?.closest('.edit-box')) focusRow(id)
}

/** Reads what a message says by now, and lets `take` have it. */
async function readOther(edited: Message, take: (source: string) => void) {
  const now = await sourceOf(edited).catch(noticeFailure)
  if (now !== undefined) take(now)
  return now
}

/** Whether the user has written on while a text was being saved. The next save changes what this one has made, which `take` gets. */
async function hasMore(edited: Message, saved: string, take: (source: string) => void) {
  const { id } = edited
  if ((editTexts.get(id)?.text ?? saved) === saved) return false
  const now = await readOther(edited, take)
  keepEdit(id, editTexts.get(id)?.text ?? saved, now ?? saved)
  return true
}

/** The text of a message that was deleted becomes a draft. */
function saveFromLoss(deleted: Message) {
  const left = editTexts.get(deleted.id)
  if (!left) return
  forgetEdit(deleted.id)
  addToDraft(conversationOfMessage(deleted), left.text)
  notice(t('edit.deleted'))
}

/** The error code for a message whose text is not the one that is to be replaced. */
const mismatch = 'EXPECTATION_MISMATCH'

/**
 * Returns the parameter with which the server replaces no other text than this. Browsers hash only on secure pages: on others, the
 * client compares before it sends.
 */
async function ifStill(edited: Message, old: string): Promise<{ prev_content_sha256?: string }> {
  const hash = await globalThis.crypto.subtle?.digest('SHA-256', new TextEncoder().encode(old))
  if (hash)
    return {
      prev_content_sha256: [...new Uint8Array(hash)]
        .map((byte) => byte.toString(16).padStart(2, '0'))
        .join(''),
    }
  if ((await sourceOf(edited)) !== old) throw new ApiFailure(400, mismatch, '')
  return {}
}

function focusRow(id: number) {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`article[data-id="${id}"]`)?.focus({ preventScroll: true }),
  )
}
