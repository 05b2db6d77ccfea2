import type { Accessor } from 'solid-js'
import { derived } from './server-state.ts'

/**
 * Returns the things of a list of the state by their ids, in its order. They are copies: events change the things in place,
 * which what reads them would not notice.
 */
export function byId<T extends { id: number }>(
  read: () => readonly T[] | undefined,
): Accessor<Map<number, T>> {
  return derived(() => new Map((read() ?? []).map((one) => [one.id, { ...one }])))
}
