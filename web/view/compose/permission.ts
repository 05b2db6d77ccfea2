import { t } from '../../lib/i18n.ts'
import type { Conversation } from '../../lib/route.ts'
import { canRead } from '../../store/channel-rights.ts'
import { channelOf } from '../../store/channels.ts'
import { isNobody, isPermitted } from '../../store/groups.ts'
import { activeUsers, nameOf, users } from '../../store/people.ts'
import { derived, field } from '../../store/server-state.ts'

const activeIds = derived(() => new Set(activeUsers().map(({ user_id }) => user_id)))

/** Why the user may not write to a conversation; undefined if they may. */
export function mayNotSend(conversation: Conversation): string | undefined {
  return 'userIds' in conversation ? noDirect(conversation.userIds) : noChannel(conversation.channelId)
}

function noDirect(userIds: number[]): string | undefined {
  const gone = userIds.find((id) => !activeIds().has(id) && !users().get(id)?.is_bot)
  if (gone !== undefined)
    return users().has(gone) ? t('refused.deactivated', { name: nameOf(gone) }) : t('card.unknown')
  const withPeople = userIds.some((id) => !users().get(id)?.is_bot)
  if (withPeople && isNobody(field('realm_direct_message_permission_group'))) return t('refused.direct')
  return undefined
}

function noChannel(channelId: number): string | undefined {
  if (channelId === 0) return undefined
  const channel = channelOf(channelId)
  if (!channel || !canRead(channel)) return t('refused.unknown')
  if (channel.is_archived) return t('refused.archived')
  if (!isPermitted(channel.can_send_message_group)) return t('refused.channel')
  return undefined
}
