import { botTypes } from '../../../db/bot-types.ts'
import type { AccountRow, ChannelRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { Facts } from '../../../markdown/render.ts'
import { hasContentAccess } from '../channels/access.ts'

/** A message that triggers a bot's webhook or an embedded bot. */
export type Trigger = { bot_id: number; trigger: 'mention' | 'direct_message' }

/**
 * Returns the outgoing webhooks and embedded bots that a message triggers: recipients of a direct message, and bots
 * mentioned by name in a channel that they may read. Bots do not trigger bots, because two of them could go on forever.
 */
export function outgoingTriggers(
  realm: RealmState,
  me: AccountRow,
  { channel, userIds }: { channel: ChannelRow | undefined; userIds: readonly number[] | null },
  { mentionedUserIds }: Facts,
): Trigger[] {
  if (me.bot_type !== null || realm.botServices.size === 0) return []
  const trigger = channel ? 'mention' : 'direct_message'
  const candidates = channel ? mentionedUserIds : (userIds ?? [])
  return candidates.flatMap((id) => {
    const bot = realm.users.get(id)
    if (!bot?.is_active || !answers(bot)) return []
    if (channel && !hasContentAccess(realm, bot, channel)) return []
    return [{ bot_id: id, trigger }]
  })
}

function answers({ bot_type }: AccountRow) {
  return bot_type === botTypes.outgoingWebhook || bot_type === botTypes.embedded
}
