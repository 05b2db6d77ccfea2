import { allOf, type Condition, type Current, inRecipients, topicPolicies } from './condition.ts'
import { badNarrow } from './error.ts'
import { narrowLimits } from './limits.ts'
import {
  messageId,
  notBlank,
  type Operand,
  type OperandCheck,
  operandCheck,
  textOperand,
  textOrId,
  textOrIds,
  withMessage,
} from './operands.ts'

/** The organization's data for resolving a narrow, as one reader sees it. */
export type NarrowLookup = {
  /** By name, in any letter case, or id. */
  channel(ref: string | number): { id: number; recipientId: number } | undefined
  /** By email address or id. */
  user(ref: string | number): { id: number } | undefined
  /** The reader. */
  me: number
  /** Recipient of the direct conversation of exactly these users; the reader is among them. */
  conversation(userIds: number[]): number | undefined
  /** Recipients of the reader's direct conversations that this user is in, too. */
  conversationsIncluding(userId: number): number[]
  /** Recipients of all of the reader's direct conversations. */
  directRecipients(): number[]
  /** Recipients of all public channels. */
  publicRecipients(): number[]
  /** Recipients of the channels that the reader has muted. */
  mutedRecipients(): number[]
  /** Recipients of all web-public channels. */
  webPublicRecipients(): number[]
  /** The organization. */
  realmId: number
  /** The reader's current conversations, with the first message id of each. */
  currentConversations(): Current
  /** The name under which clients show the empty topic. */
  emptyTopicName: string
}

/** The condition, or `everything` for a term that restricts nothing, negated or not. */
type Resolve<T extends Operand> = (operand: T, lookup: NarrowLookup) => Condition | typeof everything

export const everything = 'everything'

type Operator = {
  check: OperandCheck<Operand>
  /** How many characters an operand may have that is a text. */
  maxLength: number
  resolve: Resolve<Operand>
  /** Whether the narrow of an event queue may have it with this operand; `everything` if it may, but then restricts nothing. */
  inQueues(operand: unknown): boolean | typeof everything
  /** Whether a negated term means the opposite. Otherwise, negation has no effect. */
  negatable: boolean
}

type Words = Record<string, (lookup: NarrowLookup) => Condition | typeof everything>

const isWords: Words = {
  dm: direct,
  starred: ({ me }) => ({ kind: 'flag', userId: me, flag: 'starred' }),
  alerted: ({ me }) => ({ kind: 'flag', userId: me, flag: 'has_alert_word' }),
  mentioned: ({ me }) => ({ kind: 'mentioned', userId: me }),
  unread: (lookup) => ({
    kind: 'unread',
    realmId: lookup.realmId,
    userId: lookup.me,
    current: () => lookup.currentConversations(),
  }),
  resolved: () => ({ kind: 'resolved' }),
  followed: (lookup) => inTopics(lookup, topicPolicies.followed),
  muted: (lookup) => ({ kind: 'not', of: atHome(lookup) }),
}

const hasWords: Words = {
  link: () => ({ kind: 'contains', what: 'link' }),
  image: () => ({ kind: 'contains', what: 'image' }),
  attachment: () => ({ kind: 'contains', what: 'attachment' }),
  reaction: () => ({ kind: 'reacted' }),
}

/**
 * All operators by their canonical name, and what each means. To add one, write how its operand is checked and what
 * condition it makes; a new kind of condition needs a line in sql.ts and one in predicate.ts.
 */
export const operators: ReadonlyMap<string, Operator> = new Map([
  ['channel', operator(textOrId, channel, { inQueues: true })],
  [
    'channels',
    choice('channels operand', {
      public: (lookup) => inRecipients(lookup.publicRecipients()),
      'web-public': (lookup) => inRecipients(lookup.webPublicRecipients()),
    }),
  ],
  ['topic', operator(textOperand, topic, { inQueues: true })],
  ['sender', operator(textOrId, sender, { inQueues: true })],
  ['dm', operator(textOrIds, directMessages, { inQueues: true, maxLength: narrowLimits.addressesLength })],
  ['dm-including', operator(textOrId, directMessagesIncluding)],
  ['group-pm-with', operator(textOrId, groupMessagesIncluding)],
  ['is', choice("'is' operand", isWords, { inQueues: isInQueues })],
  ['has', choice("'has' operand", hasWords)],
  ['in', choice("'in' operand", { all: () => everything, home: (lookup) => atHome(lookup) })],
  ['id', operator(messageId, (id) => ({ kind: 'message', id }))],
  ['near', operator(textOperand, () => everything)],
  // Other terms have replaced it by now; see with.ts.
  ['with', operator(withMessage, () => everything, { negatable: false })],
  ['search', operator(notBlank, (search) => ({ kind: 'words', search }), { negatable: false })],
])

/**
 * zulip-java-client sends `is:stream`: clients of this API expect words without a meaning to restrict nothing (level
 * 407).
 */
function isInQueues(word: unknown) {
  if (word === 'followed') return false
  return (word !== 'muted' && Object.hasOwn(isWords, String(word))) || everything
}

/** Returns the operator for a name that is not in the table: it refuses every operand, after the check that all operands have. */
export function unknownOperator(name: string): Operator {
  const refuse = operandCheck<never>({}, (operand) => {
    textOperand(operand)
    throw badNarrow(`unknown operator ${name}`)
  })
  return operator(refuse, () => everything)
}

function operator<T extends Operand>(
  check: OperandCheck<T>,
  resolve: Resolve<T>,
  { inQueues = false, negatable = true, maxLength = narrowLimits.operandLength }: Options = {},
): Operator {
  return {
    check,
    maxLength,
    resolve: (operand, lookup) => resolve(check(operand), lookup),
    inQueues: typeof inQueues === 'boolean' ? () => inQueues : inQueues,
    negatable,
  }
}

type Options = { inQueues?: boolean | Operator['inQueues']; negatable?: boolean; maxLength?: number }

/** Returns an operator whose operand is one of a few words. */
function choice(what: string, words: Words, options: Options = {}): Operator {
  const check = operandCheck({ enum: Object.keys(words) }, (operand) => {
    const word = textOperand(operand)
    if (!Object.hasOwn(words, word)) throw badNarrow(`unknown ${what} ${word}`)
    return word
  })
  return operator(check, (word, lookup) => words[word]!(lookup), options)
}

function channel(ref: string | number, lookup: NarrowLookup): Condition {
  const found = lookup.channel(ref)
  if (!found) throw badNarrow(`unknown channel ${ref}`)
  return inRecipients([found.recipientId])
}

/** Direct messages are stored with the empty topic, yet have none. */
function topic(name: string, lookup: NarrowLookup): Condition {
  if (name !== '' && name !== lookup.emptyTopicName) return { kind: 'topic', name }
  return allOf([
    { kind: 'topic', name: '' },
    { kind: 'not', of: direct(lookup) },
  ])
}

function sender(ref: string | number, lookup: NarrowLookup): Condition {
  return { kind: 'sender', id: userId(ref, lookup) }
}

function directMessages(operand: Operand, lookup: NarrowLookup): Condition {
  const users = userRefs(operand).map((ref) => findUser(ref, lookup))
  if (users.includes(undefined)) throw badNarrow(`unknown user in ${shown(operand)}`)
  if (users.length === 0) return { kind: 'none' }
  const everyone = new Set([lookup.me, ...users.map((user) => user!.id)])
  return inRecipients([lookup.conversation([...everyone].sort((a, b) => a - b))])
}

function directMessagesIncluding(ref: string | number, lookup: NarrowLookup): Condition {
  const id = userId(ref, lookup)
  return id === lookup.me ? direct(lookup) : inRecipients(lookup.conversationsIncluding(id))
}

function direct(lookup: NarrowLookup): Condition {
  return { kind: 'direct', recipients: () => lookup.directRecipients() }
}

/** Matches `dm-including` without the conversation of just the two users. Old clients use it. */
function groupMessagesIncluding(ref: string | number, lookup: NarrowLookup): Condition {
  const id = userId(ref, lookup)
  const pair = lookup.conversation([lookup.me, id].sort((a, b) => a - b))
  return inRecipients(lookup.conversationsIncluding(id).filter((recipient) => recipient !== pair))
}

/** Neither in a muted topic nor, unless its topic is unmuted or followed, in a muted channel. */
function atHome(lookup: NarrowLookup): Condition {
  const inMutedChannel = inRecipients(lookup.mutedRecipients())
  const wanted = inTopics(lookup, topicPolicies.unmuted, topicPolicies.followed)
  return allOf([
    { kind: 'not', of: inMutedTopics(lookup) },
    { kind: 'not', of: allOf([inMutedChannel, { kind: 'not', of: wanted }]) },
  ])
}

/** In topics that the reader has muted, whatever the channel. */
export function inMutedTopics(lookup: NarrowLookup): Condition {
  return inTopics(lookup, topicPolicies.muted)
}

function inTopics({ realmId, me }: NarrowLookup, ...policies: number[]): Condition {
  return { kind: 'topicPolicy', realmId, userId: me, policies }
}

function userId(ref: string | number, lookup: NarrowLookup): number {
  const user = findUser(ref, lookup)
  if (!user) throw badNarrow(`unknown user ${ref}`)
  return user.id
}

function findUser(ref: string | number, lookup: NarrowLookup): { id: number } | undefined {
  return ref === 'me' ? { id: lookup.me } : lookup.user(ref)
}

/** Returns the users that an operand names, by email address or id: "a@x, b@y" names two. */
function userRefs(operand: Operand): (string | number)[] {
  if (typeof operand === 'string') return operand.split(',').map((ref) => ref.trim())
  return typeof operand === 'number' ? [operand] : operand
}

function shown(operand: Operand): string {
  return Array.isArray(operand) ? `[${operand.join(', ')}]` : String(operand)
}
