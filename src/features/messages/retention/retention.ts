import type { RealmState } from '../../../log/realm-state.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'

/** A conversation whose messages are kept for this number of days only. */
export type Kept = { recipient: number; days: number }

/**
 * Returns the conversations with limited retention. Channels have their own setting, everything else follows the
 * organization.
 */
export function keptForATime(realm: RealmState): Kept[] {
  const kept: Kept[] = []
  for (const { id } of realm.recipients.values()) {
    const days = daysKept(realm, id)
    if (days !== undefined) kept.push({ recipient: id, days })
  }
  return kept
}

/** Returns for how many days messages of a conversation are kept, or undefined for ever. */
export function daysKept(realm: RealmState, recipientId: number): number | undefined {
  const channelId = realm.recipients.get(recipientId)?.channel_id
  const own = channelId ? realm.channels.get(channelId)?.message_retention_days : null
  const days = own ?? realmSettings(realm).message_retention_days
  return days > 0 ? days : undefined
}
