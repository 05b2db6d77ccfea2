import { z } from 'zod'
import { integers, json } from '../../../../http/params.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import { limits } from '../../../../lib/limits.ts'

/** How many messages to return on one side of the anchor. checkMessageCount checks the sum of both sides. */
export const sideCountParam = () => json(z.int().min(0)).documentedAs({ maximum: limits.messagesPerFetch })

/** The ids of messages. checkMessageCount checks how many there are. */
export const messageIdsParam = () => integers().documentedAs({ maxItems: limits.messagesPerFetch })

/** Throws if a request names more messages than the limit. */
export function checkMessageCount(count: number) {
  if (count <= limits.messagesPerFetch) return
  throw badRequest(`Too many messages requested (maximum ${limits.messagesPerFetch}).`)
}
