import { plain } from '../../lib/fuzzy.ts'
import { t } from '../../lib/i18n.ts'
import { inOrder } from '../../lib/in-order.ts'
import { nameOf } from '../../store/people.ts'
import { FilterField } from '../parts/filter-field.tsx'

/** How many people a list shows; the others are found by their names. */
export const shownAtMost = 100

/** Sorts people by their names. `before` is the order that most of them had, as it takes little time to sort a list again. */
export function byName(ids: Iterable<number>, before: readonly number[] = []): number[] {
  const all = new Set(ids)
  const known = before.filter((id) => all.has(id))
  return [...new Set([...known, ...all])]
    .map((id) => ({ id, name: nameOf(id) }))
    .sort((a, b) => inOrder(a.name, b.name))
    .map(({ id }) => id)
}

/** Returns those whose names contain what was typed, whatever its accents and capitals; all if nothing was. */
export function namedLike(ids: number[], words: string): number[] {
  const typed = plain(words.trim())
  return typed ? ids.filter((id) => plain(nameOf(id)).includes(typed)) : ids
}

/** The field in which the words are typed. */
export function PeopleFilter(props: { set(words: string): void }) {
  return <FilterField label={t('people.filter')} set={props.set} />
}
