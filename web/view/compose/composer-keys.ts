import { termsOf } from '../../lib/route.ts'
import { goTo } from '../../lib/router.ts'
import { newLine } from '../../lib/text-edit.ts'
import { currentState, field } from '../../store/server-state.ts'
import { applyEdit, insertAtCursor, selectedIn } from './area.ts'
import type { Box, ComposerProps } from './create-composer.ts'
import { notePasteKey } from './paste.ts'
import { applyFormat, formatOfKey } from './toolbar.tsx'

/** Handles keys in the text of a box. */
export function onKeyInText(event: KeyboardEvent, box: Box, props: ComposerProps) {
  if (event.isComposing || event.keyCode === 229) return
  if (box.refusal()) return event.key === 'Escape' ? onOtherKey(event, box, props) : undefined
  if (!onKeyInArea(event, box)) onOtherKey(event, box, props)
}

/** Handles the keys that do the same in all boxes: for suggestions, for formats, and Enter. Returns whether the key is one. */
export function onKeyInArea(event: KeyboardEvent, box: Pick<Box, 'area' | 'typeahead' | 'send'>): boolean {
  notePasteKey(event)
  if (box.typeahead.onKeyDown(event)) return true
  const kind = formatOfKey(event)
  if (kind) {
    event.preventDefault()
    applyFormat(box.area(), kind)
  } else if (event.key === 'Enter') onEnter(event, box)
  else return false
  return true
}

/** Handles keys in the preview of a text. */
export function onKeyInPreview(event: KeyboardEvent, box: Box) {
  const sends = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
  if (!sends && event.key !== 'Escape' && !(event.altKey && event.code === 'KeyP')) return
  event.preventDefault()
  event.stopPropagation()
  if (sends) box.send()
  else box.togglePreview()
}

function onEnter(event: KeyboardEvent, box: Pick<Box, 'area' | 'send'>) {
  const entersSend = field('user_settings')?.enter_sends ?? false
  const withModifier = event.ctrlKey || event.metaKey
  event.preventDefault()
  if (!event.shiftKey && entersSend !== withModifier) box.send()
  else {
    const edit = event.shiftKey || !entersSend ? newLine(selectedIn(box.area())) : undefined
    if (edit) applyEdit(box.area(), edit)
    else insertAtCursor(box.area(), '\n')
  }
}

/** Handles the other keys in the text, and those in the fields of the address. */
export function onOtherKey(event: KeyboardEvent, box: Box, props: ComposerProps) {
  if (event.isComposing) return
  if (event.key === 'Escape') {
    event.preventDefault()
    ;(event.target as HTMLElement).blur()
    props.escaped?.()
  } else if (event.altKey && event.code === 'KeyP') {
    event.preventDefault()
    box.togglePreview()
  } else if ((event.ctrlKey || event.metaKey) && event.key === '.' && !props.missing) {
    event.preventDefault()
    goTo({ view: 'narrow', terms: termsOf(box.conversation(), currentState().user_id) })
  }
}
