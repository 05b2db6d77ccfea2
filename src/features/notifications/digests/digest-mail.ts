import type { AccountRow, ChannelRow } from '../../../db/schema.ts'
import { firstIn } from '../../../lib/must.ts'
import { realmUrl, type Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { channelAddress } from '../../../markdown/narrow-address.ts'
import { type Letter, type LetterPart, letter } from '../../kernel/mail/letter.ts'
import { emptyTopicDisplayName } from '../../kernel/topics/shown-topic.ts'
import { userSetting } from '../../kernel/users/settings.ts'
import { channelMessageUrl } from '../../messages/kernel/messages/message-url.ts'
import { counted } from '../kernel/mail-texts/counted.ts'
import { mailsShowContent, realmNamePolicies } from '../kernel/mail-texts/mail-settings.ts'
import { shownPersonName } from '../kernel/mail-texts/person-name.ts'
import { digestLimits } from './limits.ts'
import type { QuotedMessage } from './quoted-messages.ts'

/** A topic in a digest. `messages`: the first of `total`. */
export type DigestTopic = { channel: ChannelRow; messages: QuotedMessage[]; total: number }

/** The contents of a digest. */
export type Digest = { topics: DigestTopic[]; channels: ChannelRow[] }

/** Returns the mail with the digest of a week. */
export function digestMail(
  realm: RealmState,
  site: Site,
  reader: AccountRow,
  digest: Digest,
  unsubscribeUrl: string,
): Letter & { subject: string } {
  const { name } = realm.row
  const url = realmUrl(site, realm.row)
  const parts = mailsShowContent(realm, reader)
    ? withContent(realm, url, reader, digest)
    : withoutContent(name, digest)
  const policy = userSetting(reader, 'realm_name_in_email_notifications_policy')
  const namesOrganization = policy !== realmNamePolicies.never
  const small =
    'You are receiving this email because you have not been here for some days. Stop emails like this:'
  return {
    subject: namesOrganization ? `Last week in ${name}` : 'Your last week',
    ...letter([...parts, { link: `Open ${name}`, url }, { small, url: unsubscribeUrl }]),
  }
}

function withContent(
  realm: RealmState,
  url: string,
  reader: AccountRow,
  { topics, channels }: Digest,
): LetterPart[] {
  const { name } = realm.row
  const parts: LetterPart[] = []
  if (topics.length > 0)
    parts.push(`These conversations in your channels of ${name} had the most messages in the last week.`)
  for (const topic of topics) parts.push(...topicParts(realm, url, reader, topic))
  if (channels.length > 0) parts.push({ heading: `New channels in ${name}` })
  for (const channel of channels.slice(0, digestLimits.digestNewChannels))
    parts.push({ item: `#${channel.name}`, url: url + channelAddress(channel) })
  const left = channels.length - digestLimits.digestNewChannels
  return left > 0 ? [...parts, `And ${counted(left, 'more channel')}.`] : parts
}

function topicParts(
  realm: RealmState,
  url: string,
  reader: AccountRow,
  { channel, messages, total }: DigestTopic,
): LetterPart[] {
  const first = firstIn(messages)
  const heading = `#${channel.name} > ${first.topic || emptyTopicDisplayName}`
  const quotes = messages.map(({ sender_id, text }) => {
    return { from: shownPersonName(realm, reader, sender_id), quote: text }
  })
  const left = total - messages.length
  return [
    { heading, url: channelMessageUrl(url, channel, first) },
    ...quotes,
    ...(left > 0 ? [`And ${counted(left, 'more message')}.`] : []),
  ]
}

/** Neither names nor texts, as in mails about missed messages. */
function withoutContent(name: string, { topics, channels }: Digest): LetterPart[] {
  return [
    ...(topics.length > 0 ? [`There were new messages in your channels of ${name} in the last week.`] : []),
    ...(channels.length > 0 ? [`${name} has ${counted(channels.length, 'new channel')}.`] : []),
  ]
}
