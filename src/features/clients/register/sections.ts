import { channelSections } from './fields/channels.ts'
import { emptySections } from './fields/empty-lists.ts'
import { groupSections } from './fields/groups.ts'
import { messageSections } from './fields/messages.ts'
import { organizationSections } from './fields/organization.ts'
import { peopleSections } from './fields/people.ts'
import { personalSections } from './fields/personal.ts'
import { realmSections } from './fields/realm.ts'
import { settingsSections } from './fields/settings.ts'
import { userSections } from './fields/users.ts'
import type { Section } from './section.ts'
import { sectionsForSpectators } from './spectator-sections.ts'

/** All fields that POST /register can return, by the names that clients request. */
const sections: Section[] = [
  ...realmSections,
  ...userSections,
  ...groupSections,
  ...channelSections,
  ...messageSections,
  ...settingsSections,
  ...personalSections,
  ...peopleSections,
  ...organizationSections,
  ...emptySections,
]

/**
 * Returns the sections that a client requests by the names of fetch event types; null means all. Unknown names are
 * ignored.
 */
export function sectionsFor(types: string[] | null, isSpectator: boolean): Section[] {
  const offered = isSpectator ? sectionsForSpectators(sections) : sections
  if (types === null) return offered
  const names = new Set(types)
  return offered.filter(({ asked, unlessAsked }) => {
    return asked.every((name) => names.has(name)) && !(unlessAsked && names.has(unlessAsked))
  })
}
