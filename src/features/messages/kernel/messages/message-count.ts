import { badRequest } from '../../../../lib/api-error.ts'
import { limits } from '../../../../lib/limits.ts'

/** Throws if a request names more messages than the limit. */
export function checkMessageCount(count: number) {
  if (count <= limits.messagesPerFetch) return
  throw badRequest(`Too many messages requested (maximum ${limits.messagesPerFetch}).`)
}
