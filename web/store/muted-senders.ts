import { createSignal } from 'solid-js'
import type { Message } from './messages.ts'
import { mutedUsers } from './people.ts'

/** Messages of muted users that the user wants to see, until the page is loaded again. */
const [revealed, setRevealed] = createSignal<number[]>([])

/** Whether the text of a message is folded because the user has muted its sender. */
export function isSilenced({ id, sender_id }: Message): boolean {
  return mutedUsers().has(sender_id) && !revealed().includes(id)
}

export function reveal(id: number) {
  setRevealed((ids) => [...ids, id])
}
