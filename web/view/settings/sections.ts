import type { JSX } from 'solid-js'
import type { TextKey } from '../../lib/i18n.ts'
import type { IconName } from '../parts/icon.tsx'
import { organizationSections } from './organization/sections.ts'
import { ourAddress } from './other-addresses.ts'
import type { Screen } from './parts/declare.ts'
import { personalSections } from './you/sections.ts'

/** A section of the settings. It has a table of settings, or a view of its own, or a view that also shows a table. */
export type Section = {
  /** Its address: `settings/profile`, `organization/users`. What follows it goes to the view as `rest`. */
  address: string
  text: TextKey
  icon: IconName
  /** Whether it is listed for this user. It is if this is left out. */
  isOffered?: () => boolean
  /** Its settings: shown if there is no view, and found by the search. */
  table?: () => Promise<Screen>
  view?: () => Promise<SectionView>
  /** Texts by which the search finds it, besides its name and its settings. */
  words?: readonly TextKey[]
}

/** `rest`: what follows the address of the section, such as the id of a group. */
export type SectionView = (props: { rest: string[] }) => JSX.Element

/** All sections, in groups as the list shows them. */
export const sectionGroups: { text: TextKey; sections: readonly Section[] }[] = [
  { text: 'settings.you', sections: personalSections },
  { text: 'settings.organization', sections: organizationSections },
]

export function sectionsOffered(): Section[] {
  return sectionGroups.flatMap(({ sections }) => sections).filter(isOffered)
}

export function isOffered(section: Section) {
  return section.isOffered?.() ?? true
}

/** Returns the section at an address, ours or that of another client, and what follows it there. */
export function sectionAt(address: string): { section: Section; rest: string[] } | undefined {
  const path = ourAddress(address)
  const section = sectionsOffered().find((one) => path === one.address || path.startsWith(`${one.address}/`))
  if (!section) return undefined
  const rest = path.slice(section.address.length + 1)
  return { section, rest: rest ? rest.split('/') : [] }
}
