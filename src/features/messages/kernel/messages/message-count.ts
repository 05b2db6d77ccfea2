import { z } from 'zod'
import { integers, json } from '../../../../http/params.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import { messagingLimits } from './limits.ts'

/** How many messages to return on one side of the anchor. checkMessageCount checks the sum of both sides. */
export const sideCountParam = () =>
  json(z.int().min(0)).documentedAs({ maximum: messagingLimits.messagesPerFetch })

/** The ids of messages. checkMessageCount checks how many there are. */
export const messageIdsParam = () => integers().documentedAs({ maxItems: messagingLimits.messagesPerFetch })

/** Throws if a request names more messages than the limit. */
export function checkMessageCount(count: number) {
  if (count <= messagingLimits.messagesPerFetch) return
  throw badRequest(`Too many messages requested (maximum ${messagingLimits.messagesPerFetch}).`)
}
