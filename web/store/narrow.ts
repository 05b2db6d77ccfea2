import { type Term, withoutMinus } from '../lib/route.ts'
import { namesMatch } from '../lib/same-name.ts'
import { channels, isResolved } from './channels.ts'
import type { Message } from './messages.ts'
import { currentState } from './server-state.ts'

/**
 * Returns whether a message belongs to a narrow; undefined if only the server can tell, as for searches by words. The
 * server's own predicate (src/narrow) needs rows that clients do not have, such as recipients.
 */
export function isIn(terms: Term[], message: Message): boolean | undefined {
  const results = terms.map(({ operator, operand }) => {
    const kind = withoutMinus(operator)
    const result = isMatch(kind, operand, message)
    return result === undefined ? result : result === (operator === kind)
  })
  if (results.includes(false)) return false
  return results.includes(undefined) ? undefined : true
}

/** Whether the client can tell of every message whether it belongs to the narrow. */
export function isDecidable(terms: Term[]): boolean {
  return terms.every(({ operator, operand }) => {
    const kind = withoutMinus(operator)
    if (kind === 'is')
      return ['dm', 'private', 'starred', 'mentioned', 'unread', 'resolved'].includes(String(operand))
    return ['channel', 'topic', 'dm', 'dm-including', 'sender'].includes(kind)
  })
}

function isMatch(kind: string, operand: Term['operand'], message: Message): boolean | undefined {
  // Old links name users by their addresses.
  if (typeof operand === 'string' && /^(sender|dm)/.test(kind)) return undefined
  switch (kind) {
    case 'channel':
      return message.type === 'stream' && message.stream_id === channelIdOf(operand)
    case 'topic':
      return message.type === 'stream' && namesMatch(message.subject, String(operand))
    case 'sender':
      return message.sender_id === operand
    case 'dm':
      return message.type === 'private' && participants(message) === others(operand)
    case 'dm-including': {
      const ids = Array.isArray(operand) ? operand : [Number(operand)]
      return message.type === 'private' && ids.every((id) => idsOf(message).includes(id))
    }
    case 'is':
      return isOfKind(String(operand), message)
    default:
      return undefined
  }
}

function isOfKind(kind: string, { type, flags, subject }: Message): boolean | undefined {
  switch (kind) {
    case 'dm':
    case 'private':
      return type === 'private'
    case 'starred':
      return flags.includes('starred')
    case 'mentioned':
      return flags.some((flag) => flag.endsWith('mentioned'))
    case 'unread':
      return !flags.includes('read')
    case 'resolved':
      return isResolved(subject)
    default:
      return undefined
  }
}

function channelIdOf(operand: Term['operand']): number | undefined {
  if (typeof operand === 'number') return operand
  const name = String(operand)
  return [...channels().values()].find((channel) => namesMatch(channel.name, name))?.stream_id
}

function idsOf({ display_recipient }: Message): number[] {
  return (display_recipient as { id: number }[]).map(({ id }) => id)
}

function participants(message: Message) {
  return others(idsOf(message))
}

/** The others' ids in one form, for comparing; empty for messages to the user alone. */
function others(operand: Term['operand']) {
  const own = currentState().user_id
  const ids = Array.isArray(operand) ? operand : [Number(operand)]
  return ids
    .filter((id) => id !== own)
    .sort((a, b) => a - b)
    .join()
}
