import { badRequest } from '../../../../lib/api-error.ts'
import { eventRequestLimits } from './limits.ts'

/** Throws if it is too long: a queue keeps this list for its lifetime, and searches it for each event. */
export function checkQueueSize({
  event_types,
  narrow,
}: {
  event_types: string[] | undefined
  narrow: [string, string][]
}) {
  const length = JSON.stringify([event_types, narrow]).length
  if (length > eventRequestLimits.queueOptionsLength) throw badRequest('event_types and narrow are too long')
}
