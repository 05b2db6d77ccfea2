import type { AccountRow } from '../../../db/schema.ts'
import { namesIn } from '../../../lib/collections/records.ts'
import type { Site } from '../../../lib/site.ts'
import type { Change } from '../../../log/change.ts'
import type { TextKey } from '../../accounts/kernel/pages/texts.ts'
import { changeProperties } from '../../channels/subscriptions/subscription-properties.ts'
import { isActive } from '../../kernel/channels/access.ts'
import type { LinkKind } from '../../kernel/mail/links.ts'
import { changeSettings } from '../../people/kernel/users/change-settings.ts'

/** The kinds of mails with an unsubscribe link, and the texts that say who receives them, and who no longer does. */
export const stoppable = {
  'unsubscribe-missed': { receives: 'unsubscribe.missed', stopped: 'unsubscribe.no_missed' },
  'unsubscribe-logins': { receives: 'unsubscribe.logins', stopped: 'unsubscribe.no_logins' },
  'unsubscribe-digests': { receives: 'unsubscribe.digests', stopped: 'unsubscribe.no_digests' },
} as const satisfies Partial<Record<LinkKind, Record<string, TextKey>>>

export type StopKind = keyof typeof stoppable
export const stopKinds = namesIn(stoppable)

/** Turns off every setting that causes mails of a kind, including channel settings. */
export async function stopMails(change: Change, site: Site, user: AccountRow, kind: StopKind) {
  if (kind === 'unsubscribe-logins')
    return changeSettings(change, site, user.id, { enable_login_emails: false })
  if (kind === 'unsubscribe-digests')
    return changeSettings(change, site, user.id, { enable_digest_emails: false })
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
