import type { AccountRow } from '../../../../db/schema.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { realmSettings } from '../../../kernel/settings/settings.ts'
import { userSetting } from '../../../kernel/users/settings.ts'

/** The values of `realm_name_in_email_notifications_policy`: whether subjects name the organization. */
export const realmNamePolicies = { automatic: 1, always: 2, never: 3 } as const

/** Returns whether mails may show the content of messages: the organization and the user must both allow it. */
export function mailsShowContent(realm: RealmState, user: AccountRow): boolean {
  return (
    realmSettings(realm).message_content_allowed_in_email_notifications &&
    userSetting(user, 'message_content_in_email_notifications')
  )
}
