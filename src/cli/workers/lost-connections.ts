import type { Worker } from 'node:cluster'
import { guard, ignore } from '../../lib/guard.ts'

/** Internal messages of node:cluster: `act` of a new connection to a worker, and `ack` with its number back. */
type Internal = { act?: string; seq?: number; ack?: number }
type Handle = { close(): void }
type Send = (message: Internal, handle?: Handle, ...rest: unknown[]) => boolean

/**
 * Closes the connections that were on their way to a worker when it ended, so that their clients connect again. Node's
 * cluster hands each connection over by a message, and keeps it open until the worker has answered, which it never does.
 */
export function closeLostConnections({ process }: Worker) {
  const underWay = new Map<number, Handle>()
  const send = process.send.bind(process) as Send
  const note: Send = (message, handle, ...rest) => {
    if (message.act === 'newconn' && message.seq !== undefined && handle) underWay.set(message.seq, handle)
    return send(message, handle, ...rest)
  }
  Object.assign(process, { send: note })
  const settle = guard(ignore, ({ ack }: Internal) => ack !== undefined && underWay.delete(ack))
  const close = guard(ignore, () => {
    for (const handle of underWay.values()) handle.close()
  })
  // Not on 'disconnect', which never comes while the worker has a connection to acknowledge.
  process.on('internalMessage', settle).on('exit', close)
}
