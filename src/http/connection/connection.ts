import type { ServerResponse } from 'node:http'
import { guard, ignore } from '../../lib/guard.ts'

/**
 * Calls `go` when earlier requests on the same connection have their responses. Otherwise Node would handle all of them
 * concurrently, keep the responses that cannot be sent yet, and not report if the client disconnects meanwhile; this
 * way, no work is done for a client that has left.
 */
export function serializePipelined(response: ServerResponse, go: () => void) {
  if (response.socket) return go()
  const end = (error: Error) => response.destroy(error)
  const begin = guard(end, go)
  response.once('socket', begin)
}

/**
 * Ends the connection of a client that has stopped reading its response, as Node does with silent connections: the
 * unread rest stays in memory, or keeps a file open. Silence between responses, as in long polls, does not count.
 */
export function closeStalledReaders(response: ServerResponse) {
  const endIfUnread = guard(ignore, () => {
    if (response.writableLength > 0) response.destroy()
  })
  response.on('timeout', endIfUnread)
}
