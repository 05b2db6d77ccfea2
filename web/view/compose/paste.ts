import { linked } from '../../lib/text-edit.ts'
import { applyEdit, insertAtCursor, selectedIn } from './area.ts'

/** Pastes files, addresses and rich text; plain text is left to the browser. */
export function paste(event: ClipboardEvent, area: HTMLTextAreaElement, attach: (files: File[]) => void) {
  const data = event.clipboardData
  if (!data || area.readOnly) return
  const html = data.getData('text/html')
  const text = data.getData('text/plain')
  // Office programs add a picture of the text that was copied.
  const files = html || text ? [] : [...data.files]
  if (files.length > 0) {
    event.preventDefault()
    attach(files.map(named))
    return
  }
  const selected = selectedIn(area)
  if (/^https?:\/\/\S+$/.test(text.trim()) && selected.end > selected.start && !isAddress(selected)) {
    event.preventDefault()
    applyEdit(area, linked(selected, text.trim()))
    return
  }
  if (!html || wantsPlain) return
  event.preventDefault()
  void import('../../lib/html-to-markdown.ts')
    .then(({ htmlToMarkdown, isRich }) => (isRich(html) ? htmlToMarkdown(html) : text))
    // Better without its form than not at all.
    .catch(() => text)
    .then((pasted) => insertAtCursor(area, pasted))
}

let wantsPlain = false

/** Ctrl+Shift+V pastes the text without its form; the paste comes after the key. */
export function notePasteKey(event: KeyboardEvent) {
  if (event.key.toLowerCase() === 'v') wantsPlain = event.shiftKey
}

function isAddress({ text, start, end }: { text: string; start: number; end: number }) {
  return /^https?:\/\//.test(text.slice(start, end))
}

/** A picture from the clipboard is always called image.png. */
function named(file: File): File {
  if (file.name !== 'image.png') return file
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  return new File([file], `image-${stamp}.png`, { type: file.type })
}
