import { isWriting } from './keyboard.ts'

/** How long after a sign the next one counts as written together with it, in milliseconds. */
const pause = 1000

/**
 * Holds signs back that the user writes on into a field that has just gone, as with a message that another user deletes: they
 * are no shortcuts.
 */
export function holdSigns() {
  let last: { field: Element; at: number } | undefined
  const look = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, timeStamp: at } = event
    const target = event.target as Element
    const isWritten = isWriting(target)
    const isHeld = !isWritten && last?.field.isConnected === false && at - last.at < pause
    const field = isWritten ? target : isHeld && last?.field
    last = field && key.length === 1 && !ctrlKey && !metaKey ? { field, at } : undefined
    if (!last || isWritten) return
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('keydown', look, true)
}
