import { createMemo, createResource } from 'solid-js'
import { bestCandidates, type Candidate } from '../../lib/candidates.ts'
import { plain } from '../../lib/fuzzy.ts'
import { t } from '../../lib/i18n.ts'
import { valueIn } from '../parts/value-in.ts'
import { settingsOf } from './parts/declare.ts'
import { type Section, sectionsOffered } from './sections.ts'

/** `section`: the name of the section that has the setting; none if it is a section itself. */
export type Found = { address: string; name: string; section?: string }

const most = 12

/** Finds sections and settings by their names. The tables are loaded with the first letter that is typed. */
export function useFinder(words: () => string): () => Found[] {
  const [all] = createResource(() => words().trim() !== '', allSettings)
  return createMemo(() => (words().trim() ? bestSettings(valueIn(all) ?? [], words(), most) : []))
}

/** Returns the best matches. Among equal ones, sections come before single settings. */
export function bestSettings<T extends { section?: string }>(
  all: Candidate<T>[],
  words: string,
  count: number,
): T[] {
  return bestCandidates(all, words, count, ({ section }) => (section === undefined ? 1 : 0))
}

/** Returns all sections and settings that are offered to the user. */
export async function allSettings(): Promise<Candidate<Found>[]> {
  const each = await Promise.all(sectionsOffered().map(foundIn))
  return each.flat()
}

async function foundIn({ address, text, table, words = [] }: Section): Promise<Candidate<Found>[]> {
  const section = t(text)
  const screen = await table?.()
  const settings = (screen ? settingsOf(screen) : [])
    .filter(({ isOffered }) => isOffered?.() ?? true)
    .map((spec) => ({
      value: { address: `${address}/${spec.key}`, name: t(spec.text), section },
      note: spec.note,
    }))
  return [
    { value: { address, name: section }, texts: [plain(section), ...words.map((word) => plain(t(word)))] },
    ...settings.map(({ value, note }) => ({
      value,
      texts: [plain(value.name), ...(note ? [plain(t(note))] : [])],
    })),
  ]
}
