import { createRoot, createSignal } from 'solid-js'

type Asked = { anchor: Element; userId: number }

const [card, setCard] = createRoot(() => createSignal<Asked>())

/** Whose card is shown, and beside what. */
export { card, setCard }

/** Opens the card of the user whom an element names: a name, a picture, a mention. Returns whether it names one. */
export function openCardOf(target: Element): boolean {
  const named = target.closest<HTMLElement>('[data-user-id]')
  const userId = Number(named?.dataset.userId)
  if (!named || !Number.isInteger(userId) || userId <= 0) return false
  setCard({ anchor: named, userId })
  return true
}
