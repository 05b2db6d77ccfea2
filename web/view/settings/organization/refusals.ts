import { t } from '../../../lib/i18n.ts'
import { isPermitted } from '../../../store/groups.ts'
import { field } from '../../../store/server-state.ts'

// Why this user may not change something, if so.

export function unlessAdministrator(): string | undefined {
  return field('is_admin') ? undefined : t('settings.only_administrators')
}

export function unlessOwner(): string | undefined {
  return field('is_owner') ? undefined : t('org.only_owners')
}

type Permission =
  | 'realm_can_invite_users_group'
  | 'realm_create_multiuse_invite_group'
  | 'realm_can_add_custom_emoji_group'

/** Guests never hold these permissions. */
export function unlessPermitted(name: Permission): string | undefined {
  if (!field('is_guest') && isPermitted(field(name))) return undefined
  return t('channel.may_not_choose')
}
