import { bestCandidates, type Candidate } from '../../lib/candidates.ts'
import { plain } from '../../lib/fuzzy.ts'
import { t } from '../../lib/i18n.ts'
import { plainText } from '../../lib/plain-text.ts'
import { type Conversation, conversationKey } from '../../lib/route.ts'
import { namesMatch } from '../../lib/same-name.ts'
import type { Token } from '../../lib/typeahead-token.ts'
import { channels, shownTopic, subscribed } from '../../store/channels.ts'
import { conversationOfMessage, knownMessageIds, message } from '../../store/messages.ts'
import { activeUsers, avatarOf, mutedUsers } from '../../store/people.ts'
import { currentState, derived, field } from '../../store/server-state.ts'
import type { Channel, User, UserGroup } from '../../store/server-state-types.ts'
import { topicsOf } from '../../store/topics.ts'
import { suggestEmoji } from './suggest-emoji.ts'
import { suggestLanguages } from './suggest-languages.ts'
import { suggestTimes } from './suggest-times.ts'

/** A row of the list below which a text is written. */
export type Suggestion = {
  label: string
  note?: string
  /** The text that replaces the token. */
  insert: string
  image?: string
  glyph?: string
  icon?: 'hash' | 'people' | 'clock' | 'code'
}

const rows = 8

/** Returns the suggestions for what is being typed, the best first; as a promise if they have to be loaded. */
export function suggest(token: Token, conversation: Conversation): Suggestion[] | Promise<Suggestion[]> {
  switch (token.kind) {
    case 'mention':
      return mentions(token.query, token.isSilent, conversation)
    case 'channel':
      return bestCandidates(channelCandidates(), token.query, rows, channelWeight).map(channelRow)
    case 'topic':
      return topics(token.channel, token.query)
    case 'emoji':
      return suggestEmoji(token.query, rows)
    case 'command':
      return commands(token.query)
    case 'time':
      return suggestTimes(token.query, rows)
    case 'language':
      return suggestLanguages(token, rows)
  }
}

type Mentioned = { user: User } | { group: UserGroup } | { wildcard: 'all' | 'topic' }

/** The names by which mentions of many users are found. */
const wildcards = { all: ['all', 'everyone', 'channel'], topic: ['topic'] }

const people = derived((): Candidate<Mentioned>[] => [
  ...(['all', 'topic'] as const).map((wildcard) => ({ value: { wildcard }, texts: wildcards[wildcard] })),
  ...activeUsers().map((user) => ({ value: { user }, texts: [plain(user.full_name), plain(user.email)] })),
  ...(field('realm_user_groups') ?? [])
    .filter((group) => !group.is_system_group && !group.deactivated)
    .map((group) => ({ value: { group }, texts: [plain(group.name)] })),
])

/** How many active users have a name. */
const namesakes = derived(() => {
  const counts = new Map<string, number>()
  for (const { full_name } of activeUsers()) counts.set(full_name, (counts.get(full_name) ?? 0) + 1)
  return counts
})

function mentions(query: string, isSilent: boolean, conversation: Conversation): Suggestion[] {
  const near = peopleNear(conversation)
  const isDirect = 'userIds' in conversation
  const weight = (one: Mentioned) => {
    if ('wildcard' in one) return query ? 0 : -2
    if ('group' in one) return 1
    if (mutedUsers().has(one.user.user_id)) return -5
    return (near.get(one.user.user_id) ?? 0) + (one.user.is_bot ? -1 : 1)
  }
  const found = bestCandidates(people(), query, rows + 2, weight)
  return found
    .filter((one) => !('wildcard' in one) || !(isSilent || (isDirect && one.wildcard === 'topic')))
    .slice(0, rows)
    .map((one) => mentionRow(one, isSilent ? '@_' : '@'))
}

function mentionRow(one: Mentioned, sign: string): Suggestion {
  if ('wildcard' in one) {
    const note = t(one.wildcard === 'all' ? 'suggest.all' : 'suggest.topic')
    return { label: one.wildcard, note, insert: `${sign}**${one.wildcard}** `, icon: 'people' }
  }
  if ('group' in one) {
    const { name, description } = one.group
    return { label: name, note: description, insert: `${sign}*${name}* `, icon: 'people' }
  }
  const { user_id, full_name, delivery_email, is_bot } = one.user
  const name = (namesakes().get(full_name) ?? 0) > 1 ? `${full_name}|${user_id}` : full_name
  return {
    label: full_name,
    note: is_bot ? t('message.bot') : (delivery_email ?? ''),
    insert: `${sign}**${name}** `,
    image: avatarOf(user_id),
  }
}

let nearest: { key: string; near: Map<number, number> } | undefined

/** How near people are to a conversation: its authors, most of all those of its newest messages. */
function peopleNear(conversation: Conversation): Map<number, number> {
  const ids = knownMessageIds()
  // Made anew when messages have come, and not for each key.
  const key = `${conversationKey(conversation)} ${ids.length}`
  if (nearest?.key !== key) nearest = { key, near: nearTo(conversation, ids) }
  return nearest.near
}

function nearTo(conversation: Conversation, known: number[]): Map<number, number> {
  const near = new Map<number, number>()
  if ('userIds' in conversation) for (const id of conversation.userIds) near.set(id, 10)
  const ids = known.sort((a, b) => b - a).slice(0, 500)
  for (const id of ids) {
    const one = message(id)
    if (!one || near.has(one.sender_id)) continue
    const where = conversationOfMessage(one)
    if ('userIds' in where || 'userIds' in conversation || where.channelId !== conversation.channelId)
      continue
    const isHere = namesMatch(where.topic, conversation.topic)
    near.set(one.sender_id, isHere ? 8 : 4)
  }
  near.delete(currentState().user_id)
  return near
}

const channelCandidates = derived((): Candidate<Channel>[] =>
  [...channels().values()]
    .filter(({ is_archived }) => !is_archived)
    .map((channel) => ({ value: channel, texts: [plain(channel.name)] })),
)

function channelWeight({ stream_id, is_recently_active }: Channel) {
  return (subscribed().has(stream_id) ? 2 : 0) + (is_recently_active ? 1 : 0)
}

function channelRow({ name, rendered_description }: Channel): Suggestion {
  return { label: name, note: plainText(rendered_description), insert: `#**${name}** `, icon: 'hash' }
}

async function topics(name: string, query: string): Promise<Suggestion[]> {
  const channel = [...channels().values()].find((one) => namesMatch(one.name, name))
  if (!channel) return []
  const names = await topicsOf(channel.stream_id)
  const candidates = names.map((topic) => ({ value: topic, texts: [plain(shownTopic(topic))] }))
  const found = bestCandidates(candidates, query, rows)
  const typed = query.trim()
  if (typed && !found.includes(typed)) found.splice(rows - 1, 1, typed)
  return found.map((topic) => ({
    label: shownTopic(topic),
    note: `#${channel.name}`,
    insert: `#**${channel.name}>${topic}** `,
    icon: 'hash',
  }))
}

const slashes = ['me', 'poll', 'todo', 'shrug', 'spoiler', 'code'] as const
const inserts: Record<(typeof slashes)[number], string> = {
  me: '/me ',
  poll: '/poll ',
  todo: '/todo ',
  shrug: '¯\\\\_(ツ)_/¯ ',
  spoiler: '```spoiler \n\n```',
  code: '```\n\n```',
}

function commands(query: string): Suggestion[] {
  const candidates = slashes.map((name) => ({ value: name, texts: [name] }))
  return bestCandidates(candidates, query, rows).map((name) => ({
    label: `/${name}`,
    note: t(`suggest.${name}`),
    insert: inserts[name],
    icon: 'code',
  }))
}
