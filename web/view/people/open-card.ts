import { createRoot, createSignal } from 'solid-js'
import { goToHash } from '../../lib/router.ts'
import { groupOf } from '../../store/groups.ts'
import { wayBack } from '../parts/focus.ts'

/** `at`: where the anchor is; it may go while the card is being loaded. `before`: where the focus returns to. */
type Asked = { anchor: Element; at: DOMRect; before: Element[]; userId: number }

const [card, setCard] = createRoot(() => createSignal<Asked>())

/** The user whose card is shown, and the element beside it. */
export { card }

export function openCard(anchor: Element, userId: number) {
  setCard({ anchor, at: anchor.getBoundingClientRect(), before: wayBack(anchor), userId })
}

export const closeCard = () => setCard(undefined)

/** Opens the group that an element mentions, for those who may see it. Returns whether it mentions one. */
export function openGroupOf(target: Element): boolean {
  const groupId = Number(target.closest<HTMLElement>('[data-user-group-id]')?.dataset.userGroupId)
  if (!groupOf(groupId)) return false
  goToHash(`#groups/${groupId}`)
  return true
}

/** Opens the card of the user whom an element names: a name, a picture, a mention. Returns whether it names one. */
export function openCardOf(target: Element): boolean {
  const named = target.closest<HTMLElement>('[data-user-id]')
  const userId = Number(named?.dataset.userId)
  if (!named || !Number.isInteger(userId) || userId <= 0) return false
  openCard(named, userId)
  return true
}
