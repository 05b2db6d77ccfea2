import type { AccountRow, ChannelRow } from '../../../../db/schema.ts'
import type { GroupSetting } from '../../../../db/values.ts'
import type { CallerContext } from '../../../../http/endpoint.ts'
import { realmUrl } from '../../../../lib/site.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { fenceFor } from '../../../../markdown/blocks/fences.ts'
import { render } from '../../../../markdown/render.ts'
import { noticeLookup } from '../../../kernel/messages/markdown-lookup.ts'
import type { Notice } from '../../../kernel/messages/post-notice.ts'
import { realmSettings } from '../../../kernel/settings/settings.ts'
import { silentMention } from '../../../people/kernel/users/names.ts'

/** Returns a notice about a change of a channel, in the channel's topic for such notices. */
export function channelNotice(
  { realm, site, me }: Pick<CallerContext, 'realm' | 'site' | 'me'>,
  channel: ChannelRow,
  content: string,
): Notice {
  const rendered = render(content, noticeLookup(realm, realmUrl(site, realm.row), me))
  return { recipientId: channel.recipient_id, topic: eventsTopic(channel), content, rendered }
}

/** Returns the topic for notices about a channel; the empty topic where no other exists. */
export function eventsTopic(channel: ChannelRow) {
  return channel.topics_policy === 'empty_topic_only' ? '' : 'channel events'
}

export const noticeTexts = {
  created(me: AccountRow, channel: Pick<ChannelRow, KindColumns | 'description'>) {
    const description = quote(channel.description || '*No description.*')
    return `**${kindOf(channel)}** channel created by ${silentMention(me)}. **Description:**\n${description}`
  },

  renamed(me: AccountRow, before: string, after: string) {
    return `${silentMention(me)} renamed channel **${before}** to **${after}**.`
  },

  described(me: AccountRow, before: string, after: string) {
    const [old, fresh] = [before, after].map((text) => quote(text || '*No description.*'))
    return (
      `${silentMention(me)} changed the description for this channel.\n\n` +
      `* **Old description:**\n${old}\n* **New description:**\n${fresh}`
    )
  },

  privacy(me: AccountRow, before: ChannelRow, after: ChannelRow) {
    const [from, to] = [kindOf(before), kindOf(after)]
    return `${silentMention(me)} changed the access permissions for this channel from **${from}** to **${to}**.`
  },

  retention(realm: RealmState, me: AccountRow, before: number | null, after: number | null) {
    const inForce = (days: number | null) => days ?? realmSettings(realm).message_retention_days
    const [old, fresh] = [inForce(before), inForce(after)]
    const effect =
      fresh === -1
        ? 'Messages in this channel will now be retained forever.'
        : `Messages in this channel will now be automatically deleted ${fresh} days after they are sent.`
    return (
      `${silentMention(me)} has changed the message retention period for this channel:\n` +
      `* **Old retention period**: ${period(old)}\n* **New retention period**: ${period(fresh)}\n\n${effect}`
    )
  },

  posting(realm: RealmState, me: AccountRow, before: GroupSetting, after: GroupSetting) {
    return (
      `${silentMention(me)} changed the posting permissions for this channel:\n\n` +
      `* **Old**: ${holders(realm, before)}\n* **New**: ${holders(realm, after)}`
    )
  },

  archived: (channel: ChannelRow) => `Channel ${channel.name} has been archived.`,
  unarchived: (channel: ChannelRow) => `Channel ${channel.name} un-archived.`,
}

type KindColumns = 'is_private' | 'is_web_public' | 'history_public_to_subscribers'

function kindOf(channel: Pick<ChannelRow, KindColumns>) {
  if (channel.is_web_public) return 'Web-public'
  if (!channel.is_private) return 'Public'
  return channel.history_public_to_subscribers ? 'Private, shared history' : 'Private, protected history'
}

function period(days: number) {
  return days === -1 ? 'Forever' : `${days} days`
}

function quote(text: string) {
  const fence = fenceFor(text, 4)
  return `${fence} quote\n${text}\n${fence}`
}

function holders(realm: RealmState, value: GroupSetting): string {
  const { direct_members, direct_subgroups } =
    typeof value === 'number' ? { direct_members: [], direct_subgroups: [value] } : value
  const groups = direct_subgroups.map((id) => `@_*${realm.groups.get(id)?.name}*`)
  const people = direct_members.flatMap((id) => realm.users.get(id) ?? []).map(silentMention)
  return [...groups, ...people].join(', ')
}
