import type { Consequence } from '../../../log/consequences.ts'
import { linkifiersOf } from '../../kernel/linkifiers/linkifiers.ts'
import { realmFiltersChanged } from './realm_filters.event.ts'
import { linkifiersChanged } from './realm_linkifiers.event.ts'

export const consequences: Consequence[] = [
  {
    of: ['linkifier'],
    emit({ change, after }) {
      change.emit(linkifiersChanged(linkifiersOf(after)), { everyone: true })
      change.emit(realmFiltersChanged(), { everyone: true })
    },
  },
]
