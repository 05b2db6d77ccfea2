/** Sections by the addresses that links of other clients have, and our addresses of the same. */
const others: Record<string, string> = {
  'settings/account-and-privacy': 'settings/account',
  'settings/your-account': 'settings/account',
  'settings/display-settings': 'settings/appearance',
  'settings/your-bots': 'settings/bots',
  'settings/uploaded-files': 'settings/uploads',
  'settings/topics': 'settings/muted',
  'settings/muted-topics': 'settings/muted',
  'settings/muted-users': 'settings/muted',
  'organization/organization-profile': 'organization/profile',
  'organization/organization-settings': 'organization/messages',
  'organization/organization-permissions': 'organization/permissions',
  'organization/emoji-settings': 'organization/emoji',
  'organization/linkifier-settings': 'organization/linkifiers',
  'organization/filter-settings': 'organization/linkifiers',
  'organization/playground-settings': 'organization/playgrounds',
  'organization/profile-field-settings': 'organization/profile-fields',
  'organization/channel-folders': 'organization/folders',
  'organization/default-channels-list': 'organization/channels',
  'organization/default-streams-list': 'organization/channels',
  'organization/organization-level-user-defaults': 'organization/defaults',
  'organization/auth-methods': 'organization/login',
  'organization/user-list-admin': 'organization/users',
  'organization/users/active': 'organization/users',
  'organization/users/deactivated': 'organization/deactivated',
  'organization/deactivated-users-admin': 'organization/deactivated',
  'organization/users/invitations': 'organization/invitations',
  'organization/invites-list-admin': 'organization/invitations',
  'organization/bot-list-admin': 'organization/bots',
  'organization/data-exports-admin': 'organization/exports',
  'organization/user-groups-admin': 'groups',
  'groups/your': 'groups',
  'groups/all': 'groups',
  'groups/new': 'groups',
}

/** Returns our address for that of another client, with what follows it; any other address as it is. */
export function ourAddress(path: string): string {
  const known = Object.keys(others).find((one) => path === one || path.startsWith(`${one}/`))
  return known === undefined ? path : others[known] + path.slice(known.length)
}

/** For the test that each of them leads to a section. */
export const otherAddresses = Object.keys(others)
