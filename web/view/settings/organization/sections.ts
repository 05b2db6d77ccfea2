import type { Section } from '../sections.ts'

/** The sections of the organization. */
export const organizationSections: readonly Section[] = [
  {
    address: 'groups',
    text: 'groups.title',
    icon: 'people',
    words: ['groups.members_title', 'groups.permissions'],
    view: () => import('../../groups/groups.tsx').then(({ Groups }) => Groups),
  },
]
