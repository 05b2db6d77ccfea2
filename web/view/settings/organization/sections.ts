import { field } from '../../../store/server-state.ts'
import type { Section } from '../sections.ts'

const isMember = () => !field('is_guest')

/** The sections of the organization. */
export const organizationSections: readonly Section[] = [
  {
    address: 'organization/profile',
    text: 'org_section.profile',
    icon: 'edit',
    table: () => import('../tables.ts').then(({ profileTable }) => profileTable),
    view: () => import('./profile.tsx').then(({ Profile }) => Profile),
  },
  {
    address: 'organization/permissions',
    text: 'org_section.permissions',
    icon: 'lock',
    table: () => import('../tables.ts').then(({ permissionsTable }) => permissionsTable),
  },
  {
    address: 'organization/messages',
    text: 'org_section.messages',
    icon: 'feed',
    table: () => import('../tables.ts').then(({ messagesTable }) => messagesTable),
    view: () => import('./messages.tsx').then(({ Messages }) => Messages),
  },
  {
    address: 'organization/joining',
    text: 'org_section.joining',
    icon: 'plus',
    table: () => import('../tables.ts').then(({ joiningTable }) => joiningTable),
    view: () => import('./joining.tsx').then(({ Joining }) => Joining),
  },
  {
    address: 'organization/login',
    text: 'org_section.login',
    icon: 'right',
    view: () => import('./login.tsx').then(({ Login }) => Login),
  },
  {
    address: 'groups',
    text: 'groups.title',
    icon: 'people',
    words: ['groups.members_title', 'groups.permissions'],
    view: () => import('../../groups/groups.tsx').then(({ Groups }) => Groups),
  },
  {
    address: 'organization/users',
    text: 'org_section.users',
    icon: 'people',
    view: () => import('./users.tsx').then(({ Users }) => Users),
  },
  {
    address: 'organization/deactivated',
    text: 'org_section.deactivated',
    icon: 'close',
    isOffered: isMember,
    view: () => import('./deactivated.tsx').then(({ Deactivated }) => Deactivated),
  },
  {
    address: 'organization/invitations',
    text: 'org_section.invitations',
    icon: 'send',
    isOffered: isMember,
    view: () => import('./invitations.tsx').then(({ Invitations }) => Invitations),
  },
  {
    address: 'organization/bots',
    text: 'org_section.bots',
    icon: 'code',
    view: () => import('./bots.tsx').then(({ Bots }) => Bots),
  },
  {
    address: 'organization/channels',
    text: 'org_section.channels',
    icon: 'hash',
    isOffered: isMember,
    table: () => import('../tables.ts').then(({ announcementsTable }) => announcementsTable),
    view: () => import('./default-channels.tsx').then(({ DefaultChannels }) => DefaultChannels),
  },
  {
    address: 'organization/folders',
    text: 'org_section.folders',
    icon: 'list',
    view: () => import('./folders.tsx').then(({ Folders }) => Folders),
  },
  {
    address: 'organization/profile-fields',
    text: 'org_section.profile_fields',
    icon: 'quote',
    view: () => import('./profile-fields.tsx').then(({ ProfileFields }) => ProfileFields),
  },
  {
    address: 'organization/emoji',
    text: 'org_section.emoji',
    icon: 'smile',
    view: () => import('./emoji.tsx').then(({ Emoji }) => Emoji),
  },
  {
    address: 'organization/linkifiers',
    text: 'org_section.linkifiers',
    icon: 'link',
    view: () => import('./linkifiers.tsx').then(({ Linkifiers }) => Linkifiers),
  },
  {
    address: 'organization/playgrounds',
    text: 'org_section.playgrounds',
    icon: 'code',
    view: () => import('./playgrounds.tsx').then(({ Playgrounds }) => Playgrounds),
  },
  {
    address: 'organization/defaults',
    text: 'org_section.defaults',
    icon: 'copy',
    view: () => import('./defaults.tsx').then(({ Defaults }) => Defaults),
  },
  {
    address: 'organization/reports',
    text: 'reports.title',
    icon: 'warning',
    table: () => import('../tables.ts').then(({ reportsTable }) => reportsTable),
    view: () => import('./reporting.tsx').then(({ Reporting }) => Reporting),
  },
  {
    address: 'organization/exports',
    text: 'org_section.exports',
    icon: 'down',
    view: () => import('./exports.tsx').then(({ Exports }) => Exports),
  },
  {
    address: 'organization/audit-log',
    text: 'org_section.audit_log',
    icon: 'history',
    view: () => import('./audit-log.tsx').then(({ AuditLog }) => AuditLog),
  },
  {
    address: 'organization/closing',
    text: 'org_section.closing',
    icon: 'trash',
    view: () => import('./closing.tsx').then(({ Closing }) => Closing),
  },
]
