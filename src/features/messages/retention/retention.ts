import type { RealmState } from '../../../log/realm-state.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'

/** A conversation of which messages are kept for so many days only. */
export type Kept = { recipient: number; days: number }

/** What is kept for a time: of channels what they say themselves, of all else what the organization says. */
export function keptForATime(realm: RealmState): Kept[] {
  const kept: Kept[] = []
  for (const { id } of realm.recipients.values()) {
    const days = daysKept(realm, id)
    if (days !== undefined) kept.push({ recipient: id, days })
  }
  return kept
}

/** For how many days messages of a conversation are kept; undefined: for ever. */
export function daysKept(realm: RealmState, recipientId: number): number | undefined {
  const channelId = realm.recipients.get(recipientId)?.channel_id
  const own = channelId ? realm.channels.get(channelId)?.message_retention_days : null
  const days = own ?? realmSettings(realm).message_retention_days
  return days > 0 ? days : undefined
}
