import { type Conversation, conversationKey } from '../../lib/route.ts'
import type { Edit, Selected } from '../../lib/text-edit.ts'
import { draftTo, writeDraft } from '../../store/drafts.ts'

export function selectedIn(area: HTMLTextAreaElement): Selected {
  return { text: area.value, start: area.selectionStart, end: area.selectionEnd }
}

/** Edits the text as if the user had typed it, so that the browser's own undo takes it back. */
export function applyEdit(area: HTMLTextAreaElement, { from, to, insert, start, end }: Edit) {
  area.focus({ preventScroll: true })
  area.setSelectionRange(from, to)
  insertAtCursor(area, insert)
  area.setSelectionRange(start, end)
}

/** Replaces what is selected. */
export function insertAtCursor(area: HTMLTextAreaElement, text: string) {
  // No other way keeps the browser's undo.
  const isDone = text ? document.execCommand('insertText', false, text) : document.execCommand('delete')
  if (isDone || (!text && area.selectionStart === area.selectionEnd)) return
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end')
  area.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** Whether the text changes by itself, and not by the user. */
export let isReplacing = false

/** Replaces a part of the text of a conversation, whether its box is open or not; the cursor stays where it is. */
export function replaceInText(conversation: Conversation, search: string, replacement: string) {
  isReplacing = true
  replace(conversation, search, replacement)
  isReplacing = false
}

function replace(conversation: Conversation, search: string, replacement: string) {
  const area = areaOf(conversation)
  if (!area) {
    const content = draftTo(conversation)?.content ?? ''
    if (content.includes(search))
      writeDraft(
        conversation,
        content.replace(search, () => replacement),
      )
    return
  }
  const from = area.value.indexOf(search)
  if (from < 0) return
  const to = from + search.length
  if (document.activeElement !== area) {
    area.setRangeText(replacement, from, to, 'preserve')
    area.dispatchEvent(new InputEvent('input', { bubbles: true }))
    return
  }
  const moved = (at: number) =>
    at <= from ? at : at >= to ? at + replacement.length - search.length : from + replacement.length
  const [start, end] = [moved(area.selectionStart), moved(area.selectionEnd)]
  area.setSelectionRange(from, to)
  insertAtCursor(area, replacement)
  area.setSelectionRange(start, end)
}

function areaOf(conversation: Conversation) {
  return document.querySelector<HTMLTextAreaElement>(
    `textarea[data-conversation="${CSS.escape(conversationKey(conversation))}"]`,
  )
}
