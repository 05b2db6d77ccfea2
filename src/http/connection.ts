import type { ServerResponse } from 'node:http'

/**
 * Goes on when those who asked before on the same connection have their answers. Node would let all of them be answered at
 * once, keep what cannot be sent yet, and not tell if the client goes meanwhile; this way, nothing is done for it then.
 */
export function inTurn(response: ServerResponse, go: () => void) {
  if (response.socket) go()
  else response.once('socket', () => go())
}

/**
 * Ends the connection of a client that has stopped reading its answer, as Node would of every one that is silent: what it
 * does not read stays in memory, or keeps a file open. Silence between answers, as of long polls, does not count.
 */
export function endUnread(response: ServerResponse) {
  response.on('timeout', endIfUnread)
}

function endIfUnread(this: ServerResponse) {
  if (this.writableLength > 0) this.destroy()
}
