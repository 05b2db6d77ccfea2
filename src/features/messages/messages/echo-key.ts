import { hash } from 'node:crypto'
import type { CallerContext } from '../../../http/endpoint.ts'
import type { RequestKey } from '../../../http/idempotency.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { channelByRef } from '../../kernel/channels/access.ts'
import { topicToSendTo } from '../../kernel/messages/message-text.ts'
import { findByEmail } from '../../people/kernel/users/access.ts'
import { parseChannelTo, parseDirectTo } from '../kernel/messages/recipients.ts'

type EchoContext = CallerContext & { params: Sent }

type Sent = {
  type: string
  to?: string | undefined
  topic?: string | undefined
  content: string
  queue_id?: string | undefined
  local_id?: string | undefined
}

/**
 * Returns the key under which a client sends a message that it already shows. Clients reuse names, so the message
 * itself is part of the key. A send is a repeat only if it has the same content and recipients, for the same event
 * queue of the sender.
 */
export function echoKey(context: EchoContext): RequestKey | undefined {
  const { queue_id: queueId, local_id, content } = context.params
  if (!queueId || !local_id || !uuid.test(queueId)) return undefined
  const destination = destinationOf(context)
  if (!destination) return undefined
  const said = JSON.stringify(['echo', queueId.toLowerCase(), local_id, destination, content])
  return { key: hash('sha256', said), request: null, queueId }
}

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/**
 * Returns the destination of the message, even if the sender may not write there, or undefined if it cannot be parsed.
 */
function destinationOf({ realm, site, me, params }: EchoContext) {
  const { type, to, topic = '' } = params
  try {
    if (type === 'direct' || type === 'private') {
      const refs: (number | string)[] = parseDirectTo(to ?? '[]')
      const ids = refs.map((ref) =>
        typeof ref === 'number' ? ref : (findByEmail(realm, site, me, ref)?.id ?? ref),
      )
      return [...new Set([me.id, ...ids])].sort()
    }
    const ref = to === undefined ? me.default_sending_channel_id : parseChannelTo(to)
    return ref === null ? undefined : [channelByRef(realm, ref)?.id ?? ref, topicToSendTo(topic)]
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
