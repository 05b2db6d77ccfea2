type Numbers = Record<string, number>

/** The meaning of the numbers. Each permission uses a selection of them. */
const common: Numbers = {
  'role:members': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
}

const webPublic: Numbers = {
  'role:administrators': 2,
  'role:moderators': 4,
  'role:nobody': 6,
  'role:owners': 7,
}

const mentions: Numbers = {
  'role:everyone': 1,
  'role:members': 2,
  'role:fullmembers': 3,
  'role:administrators': 5,
  'role:nobody': 6,
  'role:moderators': 7,
}

/** The older names of permissions, with their numbers and the widest value of each. */
const policies = [
  {
    name: 'realm_create_public_stream_policy',
    of: 'can_create_public_channel_group',
    numbers: common,
    widest: 1,
  },
  {
    name: 'realm_create_private_stream_policy',
    of: 'can_create_private_channel_group',
    numbers: common,
    widest: 1,
  },
  {
    name: 'realm_create_web_public_stream_policy',
    of: 'can_create_web_public_channel_group',
    numbers: webPublic,
    widest: 4,
  },
  { name: 'realm_wildcard_mention_policy', of: 'can_mention_many_users_group', numbers: mentions, widest: 1 },
] as const

type PermissionWithNumber = (typeof policies)[number]['of']

/**
 * Returns permissions as the numbers that old clients know. `groupName` returns the name of the system group that holds
 * a permission, if there is one. A value without a number becomes the widest one, since the server checks permissions
 * anyway.
 */
export function legacyPolicies(groupName: (permission: PermissionWithNumber) => string | undefined): Numbers {
  const entries = policies.map(({ name, of, numbers, widest }) => [
    name,
    (numbers as Numbers)[groupName(of) ?? ''] ?? widest,
  ])
  return Object.fromEntries(entries)
}
