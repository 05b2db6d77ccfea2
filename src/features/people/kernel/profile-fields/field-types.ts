/** The kinds of custom profile field that clients know. */
export const fieldType = {
  shortText: 1,
  longText: 2,
  select: 3,
  date: 4,
  url: 5,
  user: 6,
  externalAccount: 7,
  pronouns: 8,
} as const

/** `custom_profile_field_types` of POST /register: the same by the names of their constants there. */
export const fieldTypesForClients = {
  SHORT_TEXT: { id: fieldType.shortText, name: 'Text (short)' },
  LONG_TEXT: { id: fieldType.longText, name: 'Text (long)' },
  SELECT: { id: fieldType.select, name: 'List of options' },
  DATE: { id: fieldType.date, name: 'Date' },
  URL: { id: fieldType.url, name: 'Link' },
  USER: { id: fieldType.user, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: fieldType.externalAccount, name: 'External account' },
  PRONOUNS: { id: fieldType.pronouns, name: 'Pronouns' },
}

/** The external accounts that need no description: `realm_default_external_accounts` of POST /register. */
export const externalAccounts: Record<
  string,
  { text: string; name: string; hint: string; url_pattern: string }
> = {
  github: {
    text: 'GitHub',
    name: 'GitHub username',
    hint: '',
    url_pattern: 'https://github.com/%(username)s',
  },
  twitter: {
    text: 'Twitter',
    name: 'Twitter username',
    hint: '',
    url_pattern: 'https://twitter.com/%(username)s',
  },
}
