import { firstIn } from '../../../lib/must.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isActive } from '../../kernel/channels/access.ts'

/** The colors of new subscriptions: easy to tell apart, and light enough for dark text. */
export const palette = [
  '#7fb8e6',
  '#f2a65e',
  '#8fd08a',
  '#e58fa0',
  '#b79be8',
  '#6fcfc0',
  '#e6cf63',
  '#d59ad0',
  '#9db4c9',
  '#c3d069',
  '#f0b6a0',
  '#84a9f0',
  '#74c99a',
  '#d8a878',
  '#a7c8f2',
  '#e3a3c4',
  '#a3b86c',
  '#c6b3f0',
  '#6cbfd6',
  '#f0d08c',
  '#c9a0a0',
  '#9fe0d0',
  '#b5b0a2',
  '#e08a7a',
]

/** Returns how often each color occurs among a user's subscriptions. */
export function usedColors(realm: RealmState, userId: number): Map<string, number> {
  const used = new Map<string, number>()
  for (const subscription of realm.subscriptionsOfUser(userId)) {
    if (isActive(subscription)) used.set(subscription.color, (used.get(subscription.color) ?? 0) + 1)
  }
  return used
}

/** Returns a color that the user has on the fewest channels, and records it as used. */
export function pickColor(used: Map<string, number>): string {
  let best = firstIn(palette)
  for (const color of palette) {
    const times = used.get(color) ?? 0
    if (times < (used.get(best) ?? 0)) best = color
    if (times === 0) break
  }
  used.set(best, (used.get(best) ?? 0) + 1)
  return best
}

/** A color as clients send it: # and three or six hexadecimal digits. */
export const colorFormat = /^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/
