import { badRequest } from '../../../../lib/api-error.ts'
import { limits } from '../../../../lib/limits.ts'

/** Throws if it is too long: a queue keeps this list for its lifetime, and searches it for each event. */
export function checkQueueSize({
  event_types,
  narrow,
}: {
  event_types: string[] | undefined
  narrow: [string, string][]
}) {
  const length = JSON.stringify([event_types, narrow]).length
  if (length > limits.queueOptionsLength) throw badRequest('event_types and narrow are too long')
}
