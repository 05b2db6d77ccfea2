/** Keeps the keys that are pressed from now on, for a field that is still being loaded. `first`: one that was pressed for it already. */
export function keepKeys(first?: KeyboardEvent) {
  const kept: KeyboardEvent[] = []
  function keep(event: KeyboardEvent) {
    // Escape gives a box up, also while it is being loaded. The dialogs close themselves.
    if (first && event.key === 'Escape') {
      kept.length = 0
      return end()
    }
    // Ctrl with Alt is AltGr, which types signs such as @.
    if (event.isComposing || event.metaKey || (event.ctrlKey && !event.altKey)) return
    event.preventDefault()
    event.stopPropagation()
    // If a key is held, only its first press counts: it may be the one that opens the field.
    if (!event.repeat) kept.push(event)
  }
  const end = () => document.removeEventListener('keydown', keep, true)
  if (first) keep(first)
  document.addEventListener('keydown', keep, true)
  return {
    end,
    /** Gives these keys to the field that has the focus. */
    replay() {
      end()
      for (const event of kept) press(document.activeElement, event)
    },
  }
}

/** Does what a key does in a field; other keys are left to those who listen, as in a dialog that Escape closes. */
function press(field: Element | null, event: KeyboardEvent) {
  const { key } = event
  if (key === 'Escape') field?.closest('dialog')?.dispatchEvent(new Event('cancel', { cancelable: true }))
  else if (key.length === 1) document.execCommand('insertText', false, key)
  else if (key === 'Backspace') document.execCommand('delete')
  else field?.dispatchEvent(new KeyboardEvent('keydown', event))
}
