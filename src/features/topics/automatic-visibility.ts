import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import type { AccountRow, ChannelRow, MessageRow } from '../../db/schema.ts'
import type { Commit } from '../../log/realm-log.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { userSettings } from '../users/settings.ts'
import { topicExists } from './known-topics.ts'
import { followTopic, setVisibility, visibility } from './visibility.ts'

/** When what people do themselves makes them follow or unmute a topic; from 4 on, never. */
const whenTakingPart = 1
const whenSending = 2
const whenItBegins = 3

type Acting = { realm: RealmState; me: AccountRow; read: Reader; commit: Commit }

/**
 * Follows or unmutes the topic of a message about to be sent, if its sender's settings say so; answers the new policy.
 * Such settings only ever make a topic more visible.
 */
export async function changeVisibilityOnSend(acting: Acting, channel: ChannelRow, topic: string) {
  const { realm, me, read } = acting
  const { follow, unmute } = wishesOf(realm, me, channel)
  const first = Math.min(follow, unmute)
  if (first > whenItBegins) return undefined
  const begins = first > whenSending && !(await topicExists(realm, read, channel, topic))
  return makeVisible(acting, channel, topic, first <= whenSending || begins ? whenItBegins : whenSending)
}

/** The same for whoever takes part otherwise: reacts to a message of the topic, or uses a widget in it. */
export async function changeVisibilityOnTakingPart(
  acting: Acting,
  message: Pick<MessageRow, 'recipient_id' | 'topic'>,
) {
  const { realm } = acting
  const channel = realm.channels.get(realm.recipients.get(message.recipient_id)?.channel_id ?? 0)
  if (channel) await makeVisible(acting, channel, message.topic, whenTakingPart)
}

/** What somebody's settings say of topics of a channel. */
function wishesOf(realm: RealmState, me: AccountRow, channel: ChannelRow) {
  const never = whenItBegins + 1
  if (me.bot_type !== null) return { follow: never, unmute: never }
  const settings = userSettings(me)
  const isMuted = realm.subscription(me.id, channel.id)?.is_muted ?? false
  return {
    follow: settings.automatically_follow_topics_policy,
    unmute: isMuted ? settings.automatically_unmute_topics_in_muted_streams_policy : never,
  }
}

/** Does what is wanted up to `reach` (when…). What somebody has chosen themselves stays when they only begin the topic. */
async function makeVisible(acting: Acting, channel: ChannelRow, topic: string, reach: number) {
  const { realm, me, read, commit } = acting
  const { follow, unmute } = wishesOf(realm, me, channel)
  const wantedUpTo = (when: number) =>
    follow <= when ? visibility.followed : unmute <= when ? visibility.unmuted : undefined
  if (!wantedUpTo(reach)) return undefined
  const current = (await policiesOf(read, realm, [me.id], channel, topic)).get(me.id)
  const wanted = wantedUpTo(current === undefined ? reach : Math.min(reach, whenSending))
  if (!wanted || current === wanted || current === visibility.followed) return undefined
  await commit((change) => setVisibility(change, me, channel.id, topic, wanted))
  return wanted
}

/**
 * Lets those follow the topic whom a message about to be sent mentions, by name or in a group, and who get it, if their
 * settings say so (level 235). Who has muted the topic has said that already.
 */
export async function followWhereMentioned(
  { realm, read, commit }: Omit<Acting, 'me'>,
  channel: ChannelRow,
  topic: string,
  { mentioned }: { mentioned: number[] },
) {
  const wishing = mentioned.filter((id) => {
    const user = realm.users.get(id)!
    return user.bot_type === null && userSettings(user).automatically_follow_topics_where_mentioned
  })
  if (wishing.length === 0) return
  const policies = await policiesOf(read, realm, wishing, channel, topic)
  const kept: (number | undefined)[] = [visibility.muted, visibility.followed]
  const following = wishing.filter((id) => !kept.includes(policies.get(id)))
  if (following.length > 0) await commit((change) => followTopic(change, following, channel.id, topic))
}

async function policiesOf(
  read: Reader,
  realm: RealmState,
  userIds: number[],
  channel: ChannelRow,
  topic: string,
): Promise<Map<number, number>> {
  const rows = await read
    .selectFrom('user_topic')
    .where('realm_id', '=', realm.id)
    .where('user_id', 'in', userIds)
    .where('channel_id', '=', channel.id)
    .where(sql<string>`lower(topic)`, '=', sql<string>`lower(${topic}::text)`)
    .select(['user_id', 'visibility_policy'])
    .execute()
  return new Map(rows.map((row) => [row.user_id, row.visibility_policy]))
}
