import { channelOf } from '../../../store/channels.ts'
import { field } from '../../../store/server-state.ts'
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
  {
    address: 'organization/reports',
    text: 'reports.title',
    icon: 'warning',
    isOffered: () => channelOf(field('realm_moderation_request_channel_id')) !== undefined,
    view: () => import('./reports.tsx').then(({ Reports }) => Reports),
  },
]
