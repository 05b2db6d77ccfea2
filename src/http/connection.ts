import type { ServerResponse } from 'node:http'
import { guard, ignore } from '../lib/guard.ts'

/**
 * Goes on when those who asked before on the same connection have their answers. Node would let all of them be answered at
 * once, keep what cannot be sent yet, and not tell if the client goes meanwhile; this way, nothing is done for it then.
 */
export function serializePipelined(response: ServerResponse, go: () => void) {
  const end = (error: Error) => response.destroy(error)
  const begin = guard(end, () => go())
  if (response.socket) begin()
  else response.once('socket', begin)
}

/**
 * Ends the connection of a client that has stopped reading its answer, as Node would of every one that is silent: what it
 * does not read stays in memory, or keeps a file open. Silence between answers, as of long polls, does not count.
 */
export function closeStalledReaders(response: ServerResponse) {
  const endIfUnread = guard(ignore, () => {
    if (response.writableLength > 0) response.destroy()
  })
  response.on('timeout', endIfUnread)
}
