import type { Consequence } from '../../../log/consequences.ts'
import { playgroundsOf } from './playgrounds.ts'
import { playgroundsChanged } from './realm_playgrounds.event.ts'

export const consequences: Consequence[] = [
  {
    of: ['playground'],
    emit({ change, after }) {
      change.emit(playgroundsChanged(playgroundsOf(after)), { everyone: true })
    },
  },
]
