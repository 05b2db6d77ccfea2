import type { IncomingMessage } from 'node:http'
import { isForPrograms } from '../callers/caller.ts'
import type { Endpoint, Rank } from '../endpoint.ts'
import { operationOf } from './batch.ts'

/**
 * Returns a function that returns the rank of a request by its head, if all requests of the operation have the same rank. Pages and files
 * are essential, too: they do not count among the requests under way.
 */
export function rankByHead(
  endpoints: Endpoint[],
  prefixes: string[],
): (request: IncomingMessage) => Rank | undefined {
  const ranks = new Map<string, Rank>()
  const beginnings: [string, Rank][] = []
  for (const { method, path, rank } of endpoints) {
    if (rank !== 'essential' && rank !== 'large') continue
    const [start = '', variable] = path.split('{', 2)
    for (const prefix of prefixes) {
      const operation = `${method} ${prefix}${start}`
      if (variable === undefined) ranks.set(operation, rank)
      else beginnings.push([operation, rank])
    }
  }
  return (request) => {
    if (!isForPrograms(request.url ?? '')) return 'essential'
    const operation = operationOf(request)
    return ranks.get(operation) ?? beginnings.find(([start]) => operation.startsWith(start))?.[1]
  }
}
