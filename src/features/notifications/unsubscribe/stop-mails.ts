import type { AccountRow } from '../../../db/schema.ts'
import type { Site } from '../../../lib/site.ts'
import type { Change } from '../../../log/change.ts'
import { changeProperties } from '../../channels/subscriptions/subscription-properties.ts'
import { isActive } from '../../kernel/channels/access.ts'
import type { LinkKind } from '../../kernel/mail/links.ts'
import { changeSettings } from '../../people/kernel/users/change-settings.ts'

/** The links by which mails of a kind are stopped, and what they are called. */
export const stoppable = {
  'unsubscribe-missed': 'messages that you have missed',
  'unsubscribe-logins': 'new logins',
} as const satisfies Partial<Record<LinkKind, string>>

export type StopKind = keyof typeof stoppable
export const stopKinds = Object.keys(stoppable) as StopKind[]

/** Turns off whatever setting leads to mails of a kind, for all channels, too. */
export async function stopMails(change: Change, site: Site, user: AccountRow, kind: StopKind) {
  if (kind === 'unsubscribe-logins')
    return changeSettings(change, site, user.id, { enable_login_emails: false })
  await changeSettings(change, site, user.id, {
    enable_offline_email_notifications: false,
    enable_stream_email_notifications: false,
    enable_followed_topic_email_notifications: false,
  })
  const mailed = [...change.state.subscriptionsOfUser(user.id)].filter(
    (subscription) => isActive(subscription) && subscription.email_notifications,
  )
  await changeProperties(
    change,
    user,
    mailed.map(({ channel_id }) => ({
      stream_id: channel_id,
      property: 'email_notifications',
      value: false,
    })),
  )
}
